/**
 * Requests at given moments over a network, and the times until their answers: an open loop.
 *
 * <h2>The protocol, version 1</h2>
 *
 * <p>TCP, one connection for a client, all numbers big-endian. Both sides begin with a greeting,
 * the client first:
 *
 * <pre>
 *   int magic = "LDLT"   int version
 * </pre>
 *
 * <p>Who reads another magic hangs up. A server that reads another version sends its own greeting,
 * so that the client can name both, and hangs up. After the greetings come frames:
 *
 * <pre>
 *   int length    byte type    payload of length - 1 bytes
 *                 WELCOME  1   server: what it serves, JSON; always first
 *                 REQUEST  2   client: long id, int query number from 0
 *                 ANSWER   3   server: long id, byte 0 if the query was answered, 1 if it failed
 *                 MARK     4   client: a span of time ends and another begins
 *                 DROP     5   client: requests that no thread has begun with need no answer
 *                 FINISH   6   client: the load is over
 *                 SUMMARY  7   server, after FINISH: what it has seen, JSON
 *                 REFUSAL  8   server, before it hangs up: why, one line of text
 * </pre>
 *
 * <p>A length is at least 1 and at most 1 MiB. Text is UTF-8. Answers come in any order, and a
 * client never waits for one before it sends the next request. A server serves one client at a time
 * and refuses others. Nothing is encrypted and nobody is asked for a name: the port belongs into a
 * network that is trusted.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.traffic;

import org.jspecify.annotations.NullMarked;
