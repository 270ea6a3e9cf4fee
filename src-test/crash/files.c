// SPDX-License-Identifier: Apache-2.0
// Records what programs do to files, or a file system to its image, and fails it on demand. `files FOLDER LOG MOUNTED` shows FOLDER
// as MOUNTED and returns; it goes on in the background until that is unmounted. Two names more are there, which no folder lists:
//   .mark  a program's own notes: each write to it is noted in the log
//   .fail  "w 17 5 1": of the operations w the one after 17 more fails with errno 5, and so do those after it, 1 in all;
//          r is a read, w a write or a change of size, s a sync, d one of a folder, n a change of names. "w 17 0 1" stores half of a write and
//          says so. "s 17 -30 1" makes the call wait for 30 s. Only the last line counts, and after "-" nothing fails. What a
//          sync that fails was to make durable is lost: programs still read it, but no later sync brings it back.
// A record of the log is four unsigned 64-bit little-endian numbers, the type (below), a file's number, an offset and a length, and
// then so many bytes. Names are in the log by their folder's number, at the offset of the number of what they name.
#define _GNU_SOURCE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// SIZE has the length as its offset. MOVE names a target, and is followed by the GONE of its source, which belongs to it.
enum { WRITE, SYNC, MARK, SIZE, NAME, FOLDER, MOVE, GONE, LOST };

static const char NOTES[] = "/.mark";
static const char FAILURES[] = "/.fail";

// In the place of a descriptor, since an open file comes without its path.
enum { NOTES_HANDLE = 1 << 30, FAILURES_HANDLE };

static int root, log_file;
static char failing;
static long wait_for, failure, failures;

static void append(const void *bytes, size_t length) {
  if (write(log_file, bytes, length) != (ssize_t)length) {
    perror("files: the log cannot be written");
    _exit(1);
  }
}

static void record(uint64_t type, uint64_t file, uint64_t offset, uint64_t length, const void *bytes) {
  uint64_t header[4] = {type, file, offset, length};
  append(header, sizeof header);
  append(bytes, length);
}

// What is to fail now: 0 nothing, 1 half of it, else the negative errno.
static int fails(char operation) {
  if (operation != failing || wait_for-- > 0) return 0;
  if (--failures == 0) failing = 0;
  if (failure < 0) {
    sleep(-failure);
    return 0;
  }
  return failure == 0 ? 1 : -failure;
}

static const char *below(const char *path) { return path[1] == 0 ? "." : path + 1; }

static uint64_t number(const char *path) {
  struct stat now;
  return fstatat(root, below(path), &now, AT_SYMLINK_NOFOLLOW) < 0 ? 0 : now.st_ino;
}

static uint64_t opened(const struct fuse_file_info *info) {
  struct stat now;
  return fstat(info->fh, &now) < 0 ? 0 : now.st_ino;
}

static void record_name(uint64_t type, const char *path, uint64_t file) {
  char folder[4096];
  const char *name = strrchr(path, '/') + 1;
  snprintf(folder, sizeof folder, "%.*s", name == path + 1 ? 1 : (int)(name - path - 1), path);
  record(type, number(folder), file, strlen(name), name);
}

static int own_handle(const char *path) {
  return strcmp(path, NOTES) == 0 ? NOTES_HANDLE : strcmp(path, FAILURES) == 0 ? FAILURES_HANDLE : 0;
}

static int result(long value) { return value < 0 ? -errno : (int)value; }

static int attributes(const char *path, struct stat *found, struct fuse_file_info *info) {
  if (info ? info->fh >= NOTES_HANDLE : own_handle(path)) {
    memset(found, 0, sizeof *found);
    found->st_mode = S_IFREG | 0600;
    found->st_nlink = 1;
    return 0;
  }
  return result(info ? fstat(info->fh, found) : fstatat(root, below(path), found, AT_SYMLINK_NOFOLLOW));
}

static int list(const char *path, void *names, fuse_fill_dir_t add, off_t offset, struct fuse_file_info *info,
                enum fuse_readdir_flags flags) {
  DIR *folder = fdopendir(dup(info->fh));
  if (!folder) return -errno;
  rewinddir(folder);
  for (struct dirent *each; (each = readdir(folder));) add(names, each->d_name, NULL, 0, 0);
  closedir(folder);
  return 0;
}

static int open_file(const char *path, struct fuse_file_info *info) {
  if (own_handle(path)) {
    info->fh = own_handle(path);
    info->direct_io = 1;
    return 0;
  }
  int file = openat(root, below(path), info->flags & ~O_DIRECT & ~O_APPEND);
  info->fh = file;
  if (file >= 0 && info->flags & O_TRUNC) record(SIZE, opened(info), 0, 0, "");
  return file < 0 ? -errno : 0;
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *info) {
  int fault = fails('n');
  if (fault < 0) return fault;
  uint64_t before = number(path);
  int file = openat(root, below(path), (info->flags & ~O_DIRECT & ~O_APPEND) | O_CREAT, mode);
  if (file < 0) return -errno;
  info->fh = file;
  if (!before) record_name(NAME, path, opened(info));
  return 0;
}

static int open_folder(const char *path, struct fuse_file_info *info) {
  int folder = openat(root, below(path), O_RDONLY | O_DIRECTORY);
  info->fh = folder;
  return folder < 0 ? -errno : 0;
}

static int close_any(const char *path, struct fuse_file_info *info) {
  if (info->fh < NOTES_HANDLE) close(info->fh);
  return 0;
}

static int read_file(const char *path, char *bytes, size_t length, off_t offset, struct fuse_file_info *info) {
  if (info->fh >= NOTES_HANDLE) return 0;
  int fault = fails('r');
  return fault < 0 ? fault : result(pread(info->fh, bytes, length, offset));
}

static int write_file(const char *path, const char *bytes, size_t length, off_t offset, struct fuse_file_info *info) {
  if (info->fh == NOTES_HANDLE) {
    record(MARK, 0, 0, 0, "");
    return (int)length;
  }
  if (info->fh == FAILURES_HANDLE) {
    char words[100];
    snprintf(words, sizeof words, "%.*s", (int)length, bytes);
    failing = 0;
    char next = 0;
    int read = sscanf(words, "%c %ld %ld %ld", &next, &wait_for, &failure, &failures);
    if (read == 4) failing = next;
    return read == 4 || next == '-' ? (int)length : -EINVAL;
  }
  int fault = fails('w');
  // The kernel does not look at how much was written of what a program has mapped.
  if (fault > 0 && info->writepage) fault = -EIO;
  if (fault < 0) return fault;
  ssize_t stored = pwrite(info->fh, bytes, fault && length > 1 ? length / 2 : length, offset);
  if (stored < 0) return -errno;
  record(WRITE, opened(info), offset, stored, bytes);
  if (info->flags & (O_DSYNC | O_SYNC)) record(SYNC, opened(info), 0, 0, "");
  return (int)stored;
}

static int sync_file(const char *path, int only_data, struct fuse_file_info *info) {
  int fault = fails('s');
  record(fault < 0 ? LOST : SYNC, opened(info), 0, 0, "");
  return fault < 0 ? fault : 0;
}

static int sync_folder(const char *path, int only_data, struct fuse_file_info *info) {
  int fault = fails('d');
  if (fault < 0) return fault;
  record(SYNC, opened(info), 0, 0, "");
  return 0;
}

static int resize(const char *path, off_t length, struct fuse_file_info *info) {
  int fault = fails('w');
  if (fault < 0) return fault;
  int file = info ? (int)info->fh : openat(root, below(path), O_WRONLY);
  if (file < 0 || ftruncate(file, length) < 0) return -errno;
  struct fuse_file_info by_path = {.fh = file};
  record(SIZE, opened(&by_path), length, 0, "");
  if (!info) close(file);
  return 0;
}

static int allocate(const char *path, int mode, off_t offset, off_t length, struct fuse_file_info *info) {
  if (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) {
    // The discards of a loop device, and its writes of zeros.
    static const char zeros[1 << 16];
    for (off_t done = 0, stored; done < length; done += stored) {
      stored = length - done < (off_t)sizeof zeros ? length - done : (off_t)sizeof zeros;
      stored = write_file(path, zeros, stored, offset + done, info);
      if (stored < 0) return (int)stored;
    }
    return 0;
  }
  int fault = fails('w');
  if (fault < 0) return fault;
  if (mode) return -EOPNOTSUPP;
  struct stat now;
  if (fallocate(info->fh, 0, offset, length) < 0 || fstat(info->fh, &now) < 0) return -errno;
  record(SIZE, now.st_ino, now.st_size, 0, "");
  return 0;
}

static int make_folder(const char *path, mode_t mode) {
  int fault = fails('n');
  if (fault < 0) return fault;
  if (mkdirat(root, below(path), mode) < 0) return -errno;
  record_name(FOLDER, path, number(path));
  return 0;
}

static int removed(const char *path, int flags) {
  int fault = fails('n');
  if (fault < 0) return fault;
  if (unlinkat(root, below(path), flags) < 0) return -errno;
  record_name(GONE, path, 0);
  return 0;
}

static int remove_file(const char *path) { return removed(path, 0); }

static int remove_folder(const char *path) { return removed(path, AT_REMOVEDIR); }

static int move(const char *from, const char *to, unsigned int flags) {
  int fault = fails('n');
  if (fault < 0) return fault;
  if (flags) return -EINVAL;
  uint64_t file = number(from);
  if (renameat(root, below(from), root, below(to)) < 0) return -errno;
  record_name(MOVE, to, file);
  record_name(GONE, from, 0);
  return 0;
}

static int change_mode(const char *path, mode_t mode, struct fuse_file_info *info) {
  return result(fchmodat(root, below(path), mode, 0));
}

static int change_times(const char *path, const struct timespec times[2], struct fuse_file_info *info) {
  return info ? result(futimens(info->fh, times)) : result(utimensat(root, below(path), times, 0));
}

static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
  config->hard_remove = 1;
  config->nullpath_ok = 1;
  config->use_ino = 1;
  return NULL;
}

static const struct fuse_operations operations = {.init = start,
                                                  .getattr = attributes,
                                                  .opendir = open_folder,
                                                  .readdir = list,
                                                  .releasedir = close_any,
                                                  .fsyncdir = sync_folder,
                                                  .open = open_file,
                                                  .create = create_file,
                                                  .release = close_any,
                                                  .read = read_file,
                                                  .write = write_file,
                                                  .fsync = sync_file,
                                                  .truncate = resize,
                                                  .fallocate = allocate,
                                                  .mkdir = make_folder,
                                                  .unlink = remove_file,
                                                  .rmdir = remove_folder,
                                                  .rename = move,
                                                  .chmod = change_mode,
                                                  .utimens = change_times};

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "usage: files FOLDER LOG MOUNTED\n");
    return 2;
  }
  root = open(arguments[1], O_RDONLY | O_DIRECTORY);
  log_file = open(arguments[2], O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0600);
  if (root < 0 || log_file < 0) {
    perror("files: the folder or the log cannot be opened");
    return 1;
  }
  // One thread, so that the log has the order in which programs see it.
  char *options[] = {arguments[0], "-s", arguments[3], NULL};
  return fuse_main(3, options, &operations, NULL);
}
