package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.Reaper;
import java.lang.foreign.MemorySegment;

/**
 * Memory that any thread may write and read until an arena is closed: accesses throw from then on.
 *
 * @param bytes the memory
 * @param arena to be given to a {@link Reaper}, once, by the owner; the memory is free after that
 */
public record SharedMemory(MemorySegment bytes, CountedArena arena) {}
