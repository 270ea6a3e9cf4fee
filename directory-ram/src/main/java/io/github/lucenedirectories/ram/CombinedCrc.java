// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

/**
 * Computes the CRC-32 of bytes from the CRC-32 of their parts.
 *
 * <p>A CRC is the remainder of a polynomial over the field of two elements. Appending {@code n}
 * bytes multiplies it by {@code x^8n}, so the CRC of the whole is {@code crc(first) * x^8n +
 * crc(second)} modulo the generator (D. V. Sarwate, "Computation of cyclic redundancy checks via
 * table look-up", CACM 31(8), 1988, for the reflected form that is used here).
 */
final class CombinedCrc {

  /** The generator, with the coefficient of x^31 in the lowest bit. */
  private static final int GENERATOR = 0xEDB88320;

  private static final int ONE = 1 << 31;
  private static final int X_TO_8 = 1 << 23;

  private CombinedCrc() {}

  /** The CRC-32 of the concatenation of two sequences of bytes. */
  static long combine(long first, long second, long secondBytes) {
    return (multiply((int) first, xTo8(secondBytes)) ^ (int) second) & 0xFFFF_FFFFL;
  }

  /** The remainder of {@code x^8n}. */
  private static int xTo8(long n) {
    int result = ONE;
    int square = X_TO_8;
    for (long rest = n; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        result = multiply(result, square);
      }
      square = multiply(square, square);
    }
    return result;
  }

  private static int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int bit = 31; bit >= 0; bit--) {
      product ^= -(a >>> bit & 1) & shifted;
      shifted = (shifted >>> 1) ^ (-(shifted & 1) & GENERATOR);
    }
    return product;
  }
}
