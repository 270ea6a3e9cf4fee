package io.github.lucenedirectories.benchmarks.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A headless Chromium with one page, driven by the DevTools protocol over the loopback interface.
 * For one thread.
 */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final String LISTENING = "DevTools listening on ws://";
  private static final int SECONDS = 60;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final List<String> complaints = new ArrayList<>();
  private int lastId;

  /** Where a Chromium is installed, if one is. */
  static Optional<Path> find() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts a browser.
   *
   * @param profile a folder for its files
   */
  Browser(Path program, Path profile) throws IOException, InterruptedException {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    socket =
        http.newWebSocketBuilder().buildAsync(URI.create(page(address())), new Listener()).join();
    for (String domain : List.of("Page", "Runtime", "Log")) {
      call(domain + ".enable", Map.of());
    }
  }

  /** Host and port that it listens on. */
  private String address() throws IOException {
    BufferedReader err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    List<String> lines = new ArrayList<>();
    for (String line = err.readLine(); line != null; line = err.readLine()) {
      if (line.startsWith(LISTENING)) {
        Thread.ofVirtual().start(() -> err.lines().forEach(ignored -> {}));
        String rest = line.substring(LISTENING.length());
        return rest.substring(0, rest.indexOf('/'));
      }
      lines.add(line);
    }
    throw new IOException("the browser ended: " + lines);
  }

  /** The socket of the first page. */
  private String page(String address) throws IOException, InterruptedException {
    HttpRequest list =
        HttpRequest.newBuilder(URI.create("http://" + address + "/json/list")).build();
    JsonNode pages = MAPPER.readTree(http.send(list, HttpResponse.BodyHandlers.ofString()).body());
    for (JsonNode page : pages) {
      if (page.path("type").asText().equals("page")) {
        return page.path("webSocketDebuggerUrl").asText();
      }
    }
    throw new IOException("no page: " + pages);
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        try {
          messages.add(MAPPER.readTree(text.toString()));
        } catch (IOException e) {
          throw new AssertionError(e);
        }
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Calls a method and waits for what it returns. */
  JsonNode call(String method, Map<String, ?> parameters) throws InterruptedException {
    int id = ++lastId;
    ObjectNode request = MAPPER.createObjectNode().put("id", id).put("method", method);
    request.set("params", MAPPER.valueToTree(parameters));
    socket.sendText(request.toString(), true).join();
    while (true) {
      JsonNode message = next(method);
      if (message.path("id").asInt() == id) {
        if (message.has("error")) {
          throw new AssertionError(method + ": " + message.get("error"));
        }
        return message.path("result");
      }
    }
  }

  private JsonNode next(String waitingFor) throws InterruptedException {
    JsonNode message = messages.poll(SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no answer in " + SECONDS + " s: " + waitingFor);
    }
    String method = message.path("method").asText();
    JsonNode parameters = message.path("params");
    boolean complaint =
        method.equals("Runtime.exceptionThrown")
            || (method.equals("Runtime.consoleAPICalled")
                && List.of("error", "warning", "assert").contains(parameters.path("type").asText()))
            || (method.equals("Log.entryAdded")
                && List.of("error", "warning")
                    .contains(parameters.path("entry").path("level").asText()));
    if (complaint) {
      complaints.add(parameters.toString());
    }
    return message;
  }

  /** Opens a file as it looks on a screen of some width, and waits until it is loaded. */
  void open(Path file, int width, boolean dark) throws InterruptedException {
    complaints.clear();
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    call("Page.navigate", Map.of("url", file.toUri().toString()));
    while (!next("load").path("method").asText().equals("Page.loadEventFired")) {
      // Other events come first.
    }
  }

  /** What a script's expression is, or what its promise comes to. */
  JsonNode evaluate(String script) throws InterruptedException {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", script, "awaitPromise", true, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(result.get("exceptionDetails").toString());
    }
    return result.path("result").path("value");
  }

  /** Errors and warnings on the console since the page was opened. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** Writes a picture of the whole page. */
  void screenshot(Path file) throws IOException, InterruptedException {
    JsonNode shot =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(shot.path("data").asText()));
  }

  @Override
  public void close() {
    socket.abort();
    http.close();
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .forEach(ProcessHandle::destroyForcibly);
    process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }
}
