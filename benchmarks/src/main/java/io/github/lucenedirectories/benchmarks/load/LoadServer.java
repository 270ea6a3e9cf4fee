// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries over HTTP/1.1, one client at a time. Every request has a virtual thread, and
 * waits there for one of the threads that search; the queue has no bound, as in a server that never
 * turns a user away. Nothing is encrypted or authenticated.
 *
 * <pre>
 *   GET  /lucene-load/2/welcome             what is served, as JSON
 *   POST /lucene-load/2/begin               begins a session
 *   POST /lucene-load/2/mark                ends a span and begins the next; returns its number
 *   GET  /lucene-load/2/search/SPAN/QUERY   200: answered, 500: the query failed, 410: the span is
 *                                           over, so that the query was not run
 *   POST /lucene-load/2/finish              ends the session; what it saw, as JSON
 * </pre>
 */
public final class LoadServer implements Closeable {
  /** The path that all requests begin with. Its number changes with the protocol. */
  static final String PATH = "/lucene-load/2/";

  static final int OK = 200;
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int GONE = 410;
  static final int FAILED = 500;

  private static final int BACKLOG = 1024;

  /* A client that is silent for so long has gone. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final HttpServer http;
  private final String welcome;
  private final IOSupplier<Session> sessions;
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService searchers;
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private @Nullable Session session;
  private volatile int span;
  private volatile long lastRequest;

  /** What is done for one client. */
  public interface Session extends Closeable {
    /** Runs a query by its number. Any of the searching threads may call this. */
    void answer(int query) throws IOException;

    /** Ends a span of time and begins the next. */
    void mark();

    /** Ends the load. Returns what was seen, as JSON. */
    String finish() throws IOException;
  }

  private record Reply(int status, String text) {}

  /**
   * Listens and serves until it is closed.
   *
   * @param welcome a description for clients, as JSON
   * @param sessions begin to serve a client
   * @throws java.net.BindException if the port is taken, or the address is not this machine's
   */
  public LoadServer(
      InetSocketAddress address, int threads, String welcome, IOSupplier<Session> sessions)
      throws IOException {
    // Read when the first server is made. Idle connections stay open between steps.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.idleInterval", "3600");
    System.setProperty(
        "sun.net.httpserver.maxIdleConnections", String.valueOf(2 * LoadClient.CONNECTIONS));
    this.welcome = welcome;
    this.sessions = sessions;
    this.searchers =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("searcher-", 0).factory());
    http = HttpServer.create(address, BACKLOG);
    http.createContext(PATH, this::handle);
    http.setExecutor(requests);
    http.start();
  }

  public int port() {
    return http.getAddress().getPort();
  }

  /** Waits until the first client has finished. */
  public void awaitFinish() {
    finished.join();
  }

  private void handle(HttpExchange exchange) throws IOException {
    // A connection whose request was not read to its end is not used again.
    exchange.getRequestBody().readAllBytes();
    String[] path = exchange.getRequestURI().getPath().substring(PATH.length()).split("/", -1);
    Reply reply;
    try {
      reply = path[0].equals("search") ? search(path) : control(path[0]);
    } catch (IOException | RuntimeException e) {
      reply = new Reply(FAILED, String.valueOf(e));
    }
    byte[] bytes = reply.text().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.getResponseBody().close();
    if (path[0].equals("finish")) {
      finished.complete(true);
    }
  }

  private Reply search(String[] path) {
    int wanted = Integer.parseInt(path[1]);
    int query = Integer.parseInt(path[2]);
    Session current = session();
    lastRequest = System.nanoTime();
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                if (wanted != span || current == null) {
                  return new Reply(GONE, "");
                }
                current.answer(query);
                return new Reply(OK, "");
              } catch (Throwable t) {
                return new Reply(FAILED, "");
              }
            },
            searchers)
        .join();
  }

  private synchronized @Nullable Session session() {
    return session;
  }

  private synchronized Reply control(String what) throws IOException {
    Session current = session;
    if (what.equals("welcome")) {
      return new Reply(OK, welcome);
    }
    if (what.equals("begin")) {
      if (current != null && System.nanoTime() - lastRequest < SILENT_NANOS) {
        return new Reply(CONFLICT, "another client is connected");
      }
      end();
      session = sessions.get();
    } else if (current == null) {
      return new Reply(CONFLICT, "there is no session");
    } else if (what.equals("mark")) {
      current.mark();
    } else if (what.equals("finish")) {
      span++;
      Reply reply = new Reply(OK, current.finish());
      end();
      return reply;
    } else {
      return new Reply(NOT_FOUND, "");
    }
    lastRequest = System.nanoTime();
    span++;
    return new Reply(OK, String.valueOf(span));
  }

  private synchronized void end() throws IOException {
    Session current = session;
    session = null;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void close() throws IOException {
    http.stop(0);
    requests.close();
    searchers.close();
    end();
  }
}
