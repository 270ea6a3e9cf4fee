// SPDX-License-Identifier: Apache-2.0
// Records what a file system writes to its device. `rec IMAGE LOG FOLDER` mounts two files in FOLDER and returns; it goes on in the
// background until they are unmounted:
//   disk.img  the image, for a loop device; each write and each sync of it goes into the log
//   mark      a program's own notes: what is written to it goes into the same log
// A record of the log is four unsigned 64-bit little-endian numbers, the type (0 write, 1 sync, 2 mark), 0, the offset and the
// length, and then the bytes; a sync has none.
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITE, SYNC, MARK };

static const char IMAGE[] = "/disk.img";
static const char NOTES[] = "/mark";
static int image, log_file;

static void append(const void *bytes, size_t length) {
  if (write(log_file, bytes, length) != (ssize_t)length) {
    perror("rec: the log cannot be written");
    _exit(1);
  }
}

static void record(uint64_t type, uint64_t offset, uint64_t length, const void *bytes) {
  uint64_t header[4] = {type, 0, offset, length};
  append(header, sizeof header);
  append(bytes, length);
}

static int store(const char *bytes, size_t length, off_t offset) {
  record(WRITE, offset, length, bytes);
  ssize_t stored = pwrite(image, bytes, length, offset);
  return stored < 0 ? -errno : (int)stored;
}

static int attributes(const char *path, struct stat *result, struct fuse_file_info *info) {
  struct stat now;
  memset(result, 0, sizeof *result);
  result->st_nlink = 1;
  result->st_mode = S_IFREG | 0600;
  if (strcmp(path, "/") == 0) {
    result->st_mode = S_IFDIR | 0700;
  } else if (strcmp(path, IMAGE) == 0) {
    if (fstat(image, &now) < 0) return -errno;
    result->st_size = now.st_size;
  } else if (strcmp(path, NOTES) != 0) {
    return -ENOENT;
  }
  return 0;
}

static int list(const char *path, void *names, fuse_fill_dir_t add, off_t offset, struct fuse_file_info *info,
                enum fuse_readdir_flags flags) {
  add(names, IMAGE + 1, NULL, 0, 0);
  add(names, NOTES + 1, NULL, 0, 0);
  return 0;
}

static int open_file(const char *path, struct fuse_file_info *info) {
  // A mark is in the log when its write returns.
  info->direct_io = strcmp(path, NOTES) == 0;
  return 0;
}

static int read_file(const char *path, char *bytes, size_t length, off_t offset, struct fuse_file_info *info) {
  ssize_t found = strcmp(path, IMAGE) == 0 ? pread(image, bytes, length, offset) : 0;
  return found < 0 ? -errno : (int)found;
}

static int write_file(const char *path, const char *bytes, size_t length, off_t offset, struct fuse_file_info *info) {
  if (strcmp(path, IMAGE) == 0) return store(bytes, length, offset);
  record(MARK, 0, length, bytes);
  return (int)length;
}

static int sync_file(const char *path, int only_data, struct fuse_file_info *info) {
  if (strcmp(path, IMAGE) == 0) record(SYNC, 0, 0, "");
  return 0;
}

// The device's discards and its writes of zeros.
static int zero(const char *path, int mode, off_t offset, off_t length, struct fuse_file_info *info) {
  static const char zeros[1 << 16];
  for (off_t done = 0, stored; done < length; done += stored) {
    stored = length - done < (off_t)sizeof zeros ? length - done : (off_t)sizeof zeros;
    stored = store(zeros, stored, offset + done);
    if (stored < 0) return (int)stored;
  }
  return 0;
}

static int truncate_file(const char *path, off_t length, struct fuse_file_info *info) { return 0; }

static const struct fuse_operations operations = {.getattr = attributes,
                                                  .readdir = list,
                                                  .open = open_file,
                                                  .read = read_file,
                                                  .write = write_file,
                                                  .fsync = sync_file,
                                                  .fallocate = zero,
                                                  .truncate = truncate_file};

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "usage: rec IMAGE LOG FOLDER\n");
    return 2;
  }
  image = open(arguments[1], O_RDWR);
  log_file = open(arguments[2], O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0600);
  if (image < 0 || log_file < 0) {
    perror("rec: the image or the log cannot be opened");
    return 1;
  }
  // One thread, so that the log has the order of the device.
  char *options[] = {arguments[0], "-s", arguments[3], NULL};
  return fuse_main(3, options, &operations, NULL);
}
