package io.github.lucenedirectories.benchmarks.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Listens for clients and serves one at a time, each by a {@link Service} of its own; others are
 * refused meanwhile. {@link #serve} runs on the calling thread until the server is closed, by any
 * thread.
 */
public final class RequestServer implements Closeable {
  /* So long may it take to be done with the client before. */
  private static final int LEAVE_SECONDS = 2;

  private final ServerSocketChannel channel;
  private final Maker maker;
  private final Consumer<String> log;
  private final Semaphore turn = new Semaphore(1);

  /** Makes what serves one client. */
  public interface Maker {
    /** For a client that has greeted; closed when it is gone. */
    Service make() throws IOException;
  }

  /** Over a channel that is bound. */
  RequestServer(ServerSocketChannel channel, Maker maker, Consumer<String> log) {
    this.channel = channel;
    this.maker = maker;
    this.log = log;
  }

  /**
   * Listens.
   *
   * @param address whose port 0 means any
   * @param log takes a line for each client that came to nothing; from any thread
   * @throws IOException if the address is taken or is not this machine's
   */
  public static RequestServer listen(InetSocketAddress address, Maker maker, Consumer<String> log)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address);
      return new RequestServer(channel, maker, log);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The port that it listens at. */
  public int port() throws IOException {
    return ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  /** Serves clients until the server is closed or, if so wanted, until the first has finished. */
  public void serve(boolean once) throws IOException {
    try {
      while (channel.isOpen()) {
        SocketChannel client = channel.accept();
        Thread thread = new Thread(() -> serve(client, once), "load-client");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (AsynchronousCloseException e) {
      // Closed, as it should be.
    }
  }

  private void serve(SocketChannel client, boolean once) {
    boolean finished = false;
    try (client) {
      ClientConnection connection = greet(client);
      if (!turn.tryAcquire(LEAVE_SECONDS, TimeUnit.SECONDS)) {
        connection.refuse("another client is connected");
        Farewell.to(client);
        return;
      }
      try (Service service = maker.make()) {
        finished = connection.serve(service);
      } finally {
        turn.release();
      }
    } catch (IOException | RuntimeException e) {
      log.accept("a client came to nothing: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (once && finished) {
      close();
    }
  }

  private static ClientConnection greet(SocketChannel client) throws IOException {
    try {
      return ClientConnection.greet(client);
    } catch (PeerException e) {
      Farewell.to(client);
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      log.accept("cannot close the port: " + e.getMessage());
    }
  }
}
