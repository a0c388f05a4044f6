/** What users see of a compiler's output: valid UTF-8, no control or ANSI sequences, no host paths, at most 64 KiB. Pure. */
import { COMPILE_MESSAGE_BYTES } from '#contract/limits'
import type { CompileResult } from '../sandbox/box.ts'

// OSC (titles, links) up to its terminator, CSI (colours, cursor), and two-byte escapes; ECMA-48 §5.
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const ANSI = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u001b\u009b]\[?[0-?]*[ -/]*[@-~]/g
// Everything of C0, DEL and C1 but tab and newline.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Absolute paths outside /usr, whose headers are the same everywhere: only the file name is of use. */
const FOREIGN_PATH = /(?<![\w.)\]/+~-])\/(?!usr\/)(?:[\w.+@~-]+\/)+([\w.+@~-]+)/g

/** Cuts text to a number of UTF-8 bytes without splitting a character. */
function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Cleans the raw bytes a compiler wrote. */
export function cleanCompileMessage(raw: Uint8Array): string {
  const text = Buffer.from(raw)
    .toString('utf8')
    .replaceAll('\r\n', '\n')
    .replaceAll(ANSI, '')
    .replaceAll(CONTROL, '')
    .replaceAll(FOREIGN_PATH, '$1')
  return cutToBytes(text, COMPILE_MESSAGE_BYTES)
}

const STOPPED = {
  cpu: 'Compilation took too much time.',
  wall: 'Compilation took too much time.',
  memory: 'Compilation took too much memory.',
  output: 'The compiler wrote too much output.',
}

/** How gcc and its linker name a part of theirs that a signal ended; a bug of the compiler's ends so, too. */
const PART_ENDED = /signal terminated program|terminated with signal|internal compiler error/

/**
 * Whether a compilation that was not ok says something about the source: the compiler ended by itself, and so did
 * every part of it. One that was stopped or killed may fare better on a quieter machine.
 */
export function isRefusal({ fired, oomKilled, signal, message }: CompileResult): boolean {
  return (
    fired === null &&
    !oomKilled &&
    signal === null &&
    !PART_ENDED.test(Buffer.from(message).toString('latin1'))
  )
}

/** The message of a compilation that was not ok. Never empty: a compiler that was stopped may have said nothing. */
export function compileFailureMessage(result: CompileResult): string {
  const message = cleanCompileMessage(result.message)
  const fired = result.fired ?? (result.oomKilled ? 'memory' : null)
  if (fired !== null) return cutToBytes(`${STOPPED[fired]}\n${message}`, COMPILE_MESSAGE_BYTES)
  if (message.trim() !== '') return message
  return result.exitCode === 0
    ? 'The compiler left no program, or one that is too large.'
    : 'The compiler failed without a message.'
}
