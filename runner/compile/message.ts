/** Makes a compiler's output fit to show: valid UTF-8, no control characters, no host paths, at most 64 KiB. Pure. */
import { COMPILE_MESSAGE_BYTES } from '#contract/limits'
import { ARTEFACT_BYTES } from './request.ts'
import type { CompileResult } from '../sandbox/box.ts'

// OSC (titles, links) up to its terminator, CSI (colours, cursor), and two-byte escapes; ECMA-48 §5.
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const ANSI = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u001b\u009b]\[?[0-?]*[ -/]*[@-~]/g
// The control characters C0, DEL and C1, except tab and newline.
// oxlint-disable-next-line no-control-regex -- the same
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Absolute paths outside /usr are cut to the file name. Headers below /usr are the same everywhere. */
const FOREIGN_PATH = /(?<![\w.)\]/+~-])\/(?!usr\/)(?:[\w.+@~-]+\/)+([\w.+@~-]+)/g

/** Cuts text to a number of UTF-8 bytes at the end of a character. */
function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  let end = maxBytes
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Cleans the raw output of a compiler. */
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

const TOO_LARGE = `The program is larger than ${ARTEFACT_BYTES / 1024 / 1024} MiB, the most that is allowed: make its initialised arrays smaller, or fill them when it runs.`

/**
 * What compiler, assembler and linker print when they have no room to write. It must not match text of the source. The compiler
 * quotes a source line after a blank; it quotes the source's own error messages after `#error` or `static assertion failed`.
 */
const NO_ROOM =
  /^(?!.* error: (?:#error|static assertion failed))\S.*(?:No space left on device|File size limit exceeded)/m

/** What gcc and its linker print when a signal ended one of their parts, or the compiler has a bug. */
const PART_ENDED = /signal terminated program|terminated with signal|internal compiler error/

/**
 * Whether a failed compilation is due to the source: the compiler and all its parts ended by themselves. A compilation
 * that was stopped or killed may succeed on a quieter machine.
 */
export function isRefusal({ fired, oomKilled, signal, message }: CompileResult): boolean {
  return (
    fired === null &&
    !oomKilled &&
    signal === null &&
    !PART_ENDED.test(Buffer.from(message).toString('latin1'))
  )
}

/** The message of a failed compilation. Never empty, even when a stopped compiler wrote nothing. */
export function compileFailureMessage(result: CompileResult): string {
  const message = cleanCompileMessage(result.message)
  const fired = result.fired ?? (result.oomKilled ? 'memory' : null)
  if (fired !== null) return cutToBytes(`${STOPPED[fired]}\n${message}`, COMPILE_MESSAGE_BYTES)
  // The compiler may have ended well: then the program was too large to be kept.
  if (result.exitCode === 0 || NO_ROOM.test(message)) return TOO_LARGE
  return message.trim() === '' ? 'The compiler failed without a message.' : message
}
