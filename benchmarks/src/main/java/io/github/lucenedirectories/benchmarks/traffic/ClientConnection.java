package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A server's side of one connection. One thread reads requests as fast as they come and puts them
 * into a queue without bound, as a server does that never turns anyone away; others answer them in
 * order.
 */
final class ClientConnection {
  private static final int GREETING_MILLIS = 10_000;
  private static final Request END = new Request(0, -1);

  private final SocketChannel channel;
  private final LinkedBlockingQueue<Request> queue = new LinkedBlockingQueue<>();
  private final ByteBuffer answer =
      ByteBuffer.allocateDirect(Protocol.HEAD_BYTES + Protocol.ANSWER_BYTES);

  private record Request(long id, int query) {}

  private ClientConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Exchanges greetings.
   *
   * @throws PeerException if the peer does not speak this protocol, or another version
   */
  static ClientConnection greet(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    ByteBuffer greeting = ByteBuffer.allocate(Protocol.GREETING_BYTES);
    channel.socket().setSoTimeout(GREETING_MILLIS);
    byte[] bytes = channel.socket().getInputStream().readNBytes(Protocol.GREETING_BYTES);
    channel.socket().setSoTimeout(0);
    greeting.put(bytes).flip();
    if (bytes.length < Protocol.GREETING_BYTES) {
      throw Protocol.ended("after " + bytes.length + " bytes of the greeting");
    }
    if (greeting.getInt() != Protocol.MAGIC) {
      throw new PeerException("not a load client");
    }
    int version = greeting.getInt();
    ClientConnection connection = new ClientConnection(channel);
    connection.write(Protocol.greeting(Protocol.VERSION));
    if (version != Protocol.VERSION) {
      throw new PeerException(
          "it speaks version "
              + version
              + " of the protocol, this server version "
              + Protocol.VERSION);
    }
    return connection;
  }

  /** Says why, before the caller hangs up. */
  void refuse(String why) throws IOException {
    write(Protocol.text(Protocol.REFUSAL, why));
  }

  /**
   * Serves until the client hangs up.
   *
   * @return whether it had finished
   */
  boolean serve(Service service) throws IOException {
    List<Thread> threads = new ArrayList<>();
    write(Protocol.text(Protocol.WELCOME, service.welcome()));
    try {
      for (int i = 0; i < service.threads(); i++) {
        Thread thread = new Thread(() -> work(service), "searcher-" + i);
        threads.add(thread);
        thread.start();
      }
      return read(service);
    } catch (PeerException e) {
      refuse(String.valueOf(e.getMessage()));
      Farewell.to(channel);
      throw e;
    } finally {
      end(threads);
    }
  }

  private boolean read(Service service) throws IOException {
    FrameReader frames = new FrameReader(channel);
    boolean finished = false;
    while (true) {
      while (frames.next()) {
        ByteBuffer payload = frames.payload();
        switch (frames.type()) {
          case Protocol.REQUEST -> {
            Protocol.checkLength(Protocol.REQUEST, payload, Protocol.REQUEST_BYTES);
            queue.add(request(payload, service.queries()));
          }
          case Protocol.MARK -> service.mark();
          case Protocol.DROP -> queue.clear();
          case Protocol.FINISH -> {
            queue.clear();
            write(Protocol.text(Protocol.SUMMARY, service.finish()));
            finished = true;
          }
          default -> throw new PeerException("damaged frame: type=" + frames.type());
        }
      }
      if (!frames.fill()) {
        return finished;
      }
    }
  }

  private static Request request(ByteBuffer payload, int queries) throws PeerException {
    Request request = new Request(payload.getLong(), payload.getInt());
    if (request.query() < 0 || request.query() >= queries) {
      throw new PeerException("no such query: number=" + request.query() + ", queries=" + queries);
    }
    return request;
  }

  private void work(Service service) {
    Service.Worker worker = service.worker();
    try {
      for (Request request = queue.take(); request != END; request = queue.take()) {
        byte outcome = Protocol.DONE;
        try {
          worker.answer(request.query());
        } catch (Throwable t) {
          // Of an Error, too, the client must hear: it counts on an answer.
          outcome = Protocol.FAILED;
        }
        answer(request.id(), outcome);
      }
    } catch (IOException e) {
      // The client is gone, which the reading thread sees too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(long id, byte outcome) throws IOException {
    synchronized (answer) {
      answer.clear();
      Protocol.putAnswer(answer, id, outcome);
      answer.flip();
      while (answer.hasRemaining()) {
        channel.write(answer);
      }
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    synchronized (answer) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private void end(List<Thread> threads) throws IOException {
    queue.clear();
    threads.forEach(thread -> queue.add(END));
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
