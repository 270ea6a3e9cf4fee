package io.github.lucenedirectories.benchmarks.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What client and server make of peers that are not what they should be, and of good ones. */
class PeersTest {
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final EchoService.Counts counts = new EchoService.Counts();
  private RequestServer server;
  private Thread thread;

  @BeforeEach
  void listen() throws IOException {
    server =
        RequestServer.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            () -> new EchoService(counts),
            log::add);
    thread =
        new Thread(
            () -> {
              try {
                server.serve(false);
              } catch (IOException e) {
                log.add("server: " + e);
              }
            });
    thread.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    server.close();
    thread.join();
  }

  private InetSocketAddress address() throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  private Socket socket() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** Sends bytes to the server; returns all that it says until it hangs up. */
  private byte[] say(byte[] bytes) throws IOException {
    try (Socket socket = socket()) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return socket.getInputStream().readAllBytes();
    }
  }

  private String awaitLog() throws InterruptedException {
    for (int i = 0; i < 2000 && log.isEmpty(); i++) {
      Thread.sleep(10);
    }
    return log.isEmpty() ? "nothing logged" : log.get(0);
  }

  private static byte[] greetingAnd(int version, byte... frame) {
    return ByteBuffer.allocate(8 + frame.length).put(Protocol.greeting(version)).put(frame).array();
  }

  @Test
  void goodClientIsServed() throws IOException {
    try (LoadClient client = LoadClient.connect(address())) {
      assertEquals("echo \u00e9", client.welcome());
      StepResult result = client.run(new Step(500, 0.2, 1, EchoService.QUERIES, 5, 7));
      assertEquals(result.planned(), result.sent());
      assertEquals(result.requests(), result.latencies().getTotalCount());
      assertEquals(0, result.unanswered());
      assertTrue(result.failed() > 0 && result.failed() < result.requests() / 5);
      assertEquals("seen " + result.planned() + " marks 2", client.finish());
    }
    try (LoadClient next = LoadClient.connect(address())) {
      assertEquals("echo \u00e9", next.welcome(), "one after another");
    }
    assertEquals(List.of(), log);
  }

  @Test
  void secondClientIsRefused() throws IOException {
    try (LoadClient first = LoadClient.connect(address())) {
      first.welcome();
      try (LoadClient second = LoadClient.connect(address())) {
        PeerException refused = assertThrows(PeerException.class, second::welcome);
        assertTrue(
            String.valueOf(refused.getMessage()).endsWith("refused: another client is connected"));
      }
    }
  }

  @Test
  void serverHangsUpOnAForeignClient() throws Exception {
    byte[] said = say("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertEquals(0, said.length);
    assertEquals("a client came to nothing: not a load client", awaitLog());
  }

  @Test
  void serverTellsANewerClientItsVersion() throws Exception {
    ByteBuffer said = ByteBuffer.wrap(say(greetingAnd(Protocol.VERSION + 1)));
    assertEquals(Protocol.MAGIC, said.getInt());
    assertEquals(Protocol.VERSION, said.getInt());
    assertEquals(0, said.remaining());
    assertEquals(
        "a client came to nothing: it speaks version 2 of the protocol, this server version 1",
        awaitLog());
  }

  @Test
  void serverSeesATruncatedGreetingAndFrame() throws Exception {
    say(new byte[] {'L', 'D', 'L'});
    assertEquals(
        "a client came to nothing: the connection ended after 3 bytes of the greeting", awaitLog());
    log.clear();
    say(greetingAnd(1, (byte) 0, (byte) 0, (byte) 0, (byte) 13, Protocol.REQUEST, (byte) 1));
    assertEquals("a client came to nothing: the connection ended within a frame", awaitLog());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Protocol.MOST_BYTES + 1, Integer.MAX_VALUE})
  void serverRefusesLengthsThatMakeNoSense(int length) throws Exception {
    byte[] frame = ByteBuffer.allocate(5).putInt(length).put(Protocol.REQUEST).array();
    byte[] said = say(greetingAnd(1, frame));
    String expected = "damaged frame: length=" + length + ", most=" + Protocol.MOST_BYTES;
    assertTrue(new String(said, StandardCharsets.UTF_8).endsWith(expected));
    assertEquals("a client came to nothing: " + expected, awaitLog());
  }

  @Test
  void serverRefusesWhatItCannotDo() throws Exception {
    ByteBuffer request = ByteBuffer.allocate(17);
    Protocol.putRequest(request, 1, EchoService.QUERIES);
    assertTrue(
        new String(say(greetingAnd(1, request.array())), StandardCharsets.UTF_8)
            .endsWith("no such query: number=10, queries=10"));
    byte[] unknown = ByteBuffer.allocate(5).putInt(1).put((byte) 99).array();
    assertTrue(
        new String(say(greetingAnd(1, unknown)), StandardCharsets.UTF_8)
            .endsWith("damaged frame: type=99"));
    byte[] brief = ByteBuffer.allocate(6).putInt(2).put(Protocol.REQUEST).put((byte) 1).array();
    assertTrue(
        new String(say(greetingAnd(1, brief)), StandardCharsets.UTF_8)
            .endsWith("damaged frame: type=2, bytes=1, expected=12"));
    try (LoadClient client = LoadClient.connect(address())) {
      assertEquals("echo \u00e9", client.welcome(), "and goes on to serve");
    }
  }

  /** Lets a client connect to a peer that sends some bytes and hangs up. */
  private static String refusalOf(byte[] bytes, boolean hangUp) throws Exception {
    try (ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread speaker =
          new Thread(
              () -> {
                try (Socket socket = peer.accept()) {
                  InputStream in = socket.getInputStream();
                  in.readNBytes(Protocol.GREETING_BYTES);
                  DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                  out.write(bytes);
                  out.flush();
                  if (!hangUp) {
                    in.readAllBytes();
                  }
                } catch (IOException e) {
                  // The client has hung up.
                }
              });
      speaker.start();
      try (LoadClient client =
          LoadClient.connect(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), peer.getLocalPort()))) {
        client.welcome();
        return "served";
      } catch (PeerException e) {
        return String.valueOf(e.getMessage()).replaceFirst(":\\d+", ":PORT");
      } catch (IOException e) {
        return String.valueOf(e.getMessage());
      } finally {
        speaker.join();
      }
    }
  }

  @Test
  void clientRefusesOtherServers() throws Exception {
    assertEquals(
        "no load server at localhost:PORT: something else answers there",
        refusalOf("SSH-2.0-OpenSSH_9\r\n".getBytes(StandardCharsets.US_ASCII), false));
    assertEquals(
        "the load server at localhost:PORT speaks version 2 of the protocol, this client version"
            + " 1: run the same build on both machines",
        refusalOf(Protocol.greeting(2).array(), true));
    assertEquals(
        "no load server at localhost:PORT: it hung up after 5 bytes",
        refusalOf(new byte[] {'L', 'D', 'L', 'T', 0}, true));
    assertEquals("the load server at localhost:PORT hung up", refusalOf(greetingAnd(1), true));
    assertEquals(
        "the connection to the load server broke: the connection ended within a frame",
        refusalOf(greetingAnd(1, (byte) 0, (byte) 0, (byte) 1), true));
    assertEquals(
        "damaged frame: length=2147483647, most=1048576",
        refusalOf(greetingAnd(1, (byte) 127, (byte) -1, (byte) -1, (byte) -1), false));
  }

  @Test
  void clientFindsNobody() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    PeerException refused =
        assertThrows(
            PeerException.class,
            () ->
                LoadClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    assertTrue(
        String.valueOf(refused.getMessage())
            .startsWith("no load server at localhost:" + port + ": "));
  }
}
