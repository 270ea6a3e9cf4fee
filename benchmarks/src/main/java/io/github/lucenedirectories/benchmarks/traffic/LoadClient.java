package io.github.lucenedirectories.benchmarks.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The client of a server of requests. It keeps its own clock: nothing that the server does or does
 * not do moves the moment at which a request is sent, and every latency begins at that planned
 * moment. For one thread; a second, its own, takes the answers.
 */
public final class LoadClient implements Closeable {
  private static final int GREETING_MILLIS = 10_000;

  /* Of the system's buffer: little, so that requests that wait are seen and counted here. */
  private static final int SEND_BUFFER_BYTES = 1 << 12;

  private static final long LOOK_NANOS = 500_000;
  private static final long LEAD_NANOS = 5_000_000;
  private static final long SUMMARY_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final int STEP_SHIFT = 32;

  private final String address;
  private final SocketChannel channel;
  private final Outbox outbox;
  private final Receiver receiver;
  private int steps;

  private LoadClient(String address, SocketChannel channel, Receiver receiver) {
    this.address = address;
    this.channel = channel;
    this.outbox = new Outbox(channel);
    this.receiver = receiver;
  }

  /**
   * Connects and exchanges greetings.
   *
   * @throws PeerException if there is something else than such a server, or one of another version
   * @throws IOException if there is nobody
   */
  public static LoadClient connect(InetSocketAddress server) throws IOException {
    String address = server.getHostString() + ":" + server.getPort();
    SocketChannel channel = SocketChannel.open();
    try {
      if (server.isUnresolved()) {
        throw new PeerException("no such host: " + server.getHostString());
      }
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(server, GREETING_MILLIS);
      channel.write(Protocol.greeting(Protocol.VERSION));
      channel.configureBlocking(false);
      Receiver receiver = new Receiver(channel, address);
      try {
        receiver.greet(GREETING_MILLIS);
        receiver.start();
        return new LoadClient(address, channel, receiver);
      } catch (IOException | RuntimeException e) {
        receiver.close();
        throw e;
      }
    } catch (PeerException e) {
      channel.close();
      throw e;
    } catch (SocketTimeoutException | java.net.ConnectException e) {
      channel.close();
      throw new PeerException("no load server at " + address + ": " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** What the server serves. */
  public String welcome() throws IOException {
    return receiver.await(Protocol.WELCOME, System.nanoTime() + SUMMARY_NANOS);
  }

  /**
   * Sends requests at a rate for a time and waits, up to the step's patience, for their answers.
   *
   * @throws IOException if the connection breaks
   */
  public StepResult run(Step step) throws IOException {
    Schedule schedule =
        Schedule.poisson(
            step.perSecond(), step.settleSeconds() + step.seconds(), step.queries(), step.seed());
    outbox.empty(Protocol.MARK);
    long number = ++steps;
    StepClock clock = new StepClock(step, schedule, System.nanoTime() + LEAD_NANOS);
    receiver.begin(number, clock);
    outbox.takeMostWaiting();
    for (int next = 0; next < schedule.size(); ) {
      long now = waitUntil(clock.due(next));
      while (next < schedule.size() && clock.due(next) <= now) {
        outbox.request(number << STEP_SHIFT | next, schedule.query(next));
        clock.sent(next, now);
        next++;
      }
      outbox.flush();
    }
    waitUntil(clock.end());
    int stuck = outbox.waitingRequests();
    awaitAnswers(clock, clock.end() + (long) (step.patienceSeconds() * 1e9));
    StepResult result;
    try {
      result = clock.result(stuck, outbox.takeMostWaiting(), System.nanoTime());
    } finally {
      receiver.end();
    }
    outbox.empty(Protocol.DROP);
    outbox.empty(Protocol.MARK);
    flushAll();
    return result;
  }

  /** Waits, and hands over what waits as soon as the connection takes it. */
  private long waitUntil(long moment) throws IOException {
    for (long now = System.nanoTime(); ; now = System.nanoTime()) {
      long left = moment - now;
      if (left <= 0) {
        return now;
      }
      receiver.check();
      if (!outbox.isEmpty()) {
        outbox.flush();
        left = Math.min(left, LOOK_NANOS);
      }
      LockSupport.parkNanos(this, left);
    }
  }

  private void awaitAnswers(StepClock clock, long deadline) throws IOException {
    while (!clock.isComplete() && System.nanoTime() < deadline) {
      waitUntil(System.nanoTime() + LOOK_NANOS);
    }
  }

  private void flushAll() throws IOException {
    long deadline = System.nanoTime() + SUMMARY_NANOS;
    outbox.flush();
    while (!outbox.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new PeerException("the load server at " + address + " takes nothing any more");
      }
      waitUntil(System.nanoTime() + LOOK_NANOS);
    }
  }

  /** Tells the server that the load is over; returns what it has seen. */
  public String finish() throws IOException {
    outbox.empty(Protocol.FINISH);
    flushAll();
    return receiver.await(Protocol.SUMMARY, System.nanoTime() + SUMMARY_NANOS);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    receiver.close();
  }

  /** Reads what the server sends. */
  private static final class Receiver implements Closeable {
    private final SocketChannel channel;
    private final String address;
    private final Selector selector;
    private final FrameReader frames;
    private final Mailbox mailbox = new Mailbox();
    private final Thread thread = new Thread(this::receive, "load-receiver");

    Receiver(SocketChannel channel, String address) throws IOException {
      this.channel = channel;
      this.address = address;
      this.selector = Selector.open();
      this.frames = new FrameReader(channel);
      channel.register(selector, SelectionKey.OP_READ);
    }

    void greet(int timeoutMillis) throws IOException {
      ByteBuffer greeting = ByteBuffer.allocate(Protocol.GREETING_BYTES);
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      while (greeting.hasRemaining()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new PeerException("no load server at " + address + ": it says nothing");
        }
        selector.select(left);
        selector.selectedKeys().clear();
        if (channel.read(greeting) < 0) {
          throw new PeerException(
              "no load server at "
                  + address
                  + ": it hung up after "
                  + greeting.position()
                  + " bytes");
        }
      }
      greeting.flip();
      if (greeting.getInt() != Protocol.MAGIC) {
        throw new PeerException("no load server at " + address + ": something else answers there");
      }
      int version = greeting.getInt();
      if (version != Protocol.VERSION) {
        throw new PeerException(
            "the load server at "
                + address
                + " speaks version "
                + version
                + " of the protocol, this client version "
                + Protocol.VERSION
                + ": run the same build on both machines");
      }
    }

    void start() {
      thread.setDaemon(true);
      thread.start();
    }

    private void receive() {
      try {
        while (channel.isOpen()) {
          selector.select();
          selector.selectedKeys().clear();
          if (!frames.fill()) {
            throw new PeerException("the load server at " + address + " hung up");
          }
          long now = System.nanoTime();
          while (frames.next()) {
            take(now);
          }
        }
      } catch (IOException | RuntimeException e) {
        mailbox.fail(e);
      }
    }

    private void take(long now) throws PeerException {
      ByteBuffer payload = frames.payload();
      switch (frames.type()) {
        case Protocol.ANSWER -> {
          Protocol.checkLength(Protocol.ANSWER, payload, Protocol.ANSWER_BYTES);
          long id = payload.getLong();
          mailbox.answered(id >>> STEP_SHIFT, (int) id, payload.get() == Protocol.DONE, now);
        }
        case Protocol.WELCOME, Protocol.SUMMARY ->
            mailbox.put(frames.type(), Protocol.text(payload));
        case Protocol.REFUSAL ->
            throw new PeerException(
                "the load server at " + address + " refused: " + Protocol.text(payload));
        default -> throw new PeerException("damaged frame: type=" + frames.type());
      }
    }

    void begin(long step, StepClock clock) {
      mailbox.begin(step, clock);
    }

    void end() {
      mailbox.end();
    }

    void check() throws IOException {
      mailbox.check();
    }

    String await(byte type, long deadline) throws IOException {
      return mailbox.await(type, deadline);
    }

    @Override
    public void close() throws IOException {
      selector.close();
      channel.close();
    }
  }
}
