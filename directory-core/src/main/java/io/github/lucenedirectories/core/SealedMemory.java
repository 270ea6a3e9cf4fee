package io.github.lucenedirectories.core;

import java.lang.foreign.MemorySegment;

/**
 * The memory of a complete file, to be read by any thread until its arena is closed.
 *
 * @param chunks the bytes: each chunk as long as the directory's chunks are, the last may be
 *     shorter
 * @param length length of the file in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SealedMemory(MemorySegment[] chunks, long length, CountedArena arena) {}
