// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Logger;
import org.apache.lucene.util.IOUtils;

/** Whether persistent memory can be tested by LLPL in this process. */
public final class Llpl {

  private static final long BYTES = 1L << 20;

  private static final boolean LOADS = attempt();

  private Llpl() {}

  /** Whether LLPL and the libraries of the system that it needs can be loaded. */
  public static boolean loads() {
    return LOADS;
  }

  private static boolean attempt() {
    try {
      Path folder = Files.createTempDirectory("llpl-");
      try {
        PmemDirectory.builder(folder)
            .engine(PmemEngine.LLPL)
            .mode(PmemMode.EMULATED)
            .initialBytes(BYTES)
            .build()
            .close();
        return true;
      } finally {
        IOUtils.rm(folder);
      }
    } catch (IOException e) {
      if (TestMode.current().nativeAccess()) {
        Logger.getLogger(Llpl.class.getName())
            .warning("LEFT OUT: PmemDirectory by LLPL is not tested: " + e.getMessage());
      }
      return false;
    }
  }
}
