package io.github.lucenedirectories.benchmarks.traffic;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A server in a process of its own that can be stopped by signals. The system holds little for it:
 * what a client sends while it is stopped soon has nowhere to go.
 */
final class EchoProcess implements AutoCloseable {
  private static final int RECEIVE_BUFFER_BYTES = 4096;

  private final Process process;
  private final int port;

  private EchoProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Run in the process; ends when its input does. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocketChannel channel = ServerSocketChannel.open()) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      RequestServer server =
          new RequestServer(
              channel, () -> new EchoService(new EchoService.Counts()), System.err::println);
      Thread end =
          new Thread(
              () -> {
                try {
                  System.in.readAllBytes();
                } catch (IOException e) {
                  // As good as its end.
                }
                Runtime.getRuntime().halt(0);
              });
      end.setDaemon(true);
      end.start();
      System.out.println(server.port());
      System.out.flush();
      server.serve(false);
    }
  }

  static EchoProcess start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                EchoProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    return new EchoProcess(process, Integer.parseInt(out.readLine()));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  void signal(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("kill " + signal);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
