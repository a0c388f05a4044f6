/**
 * Finds the kept output of one case in the object that has all kept outputs of a judgement, up to 11 MB of JSON. It searches the
 * bytes for the output's beginning, and parses and keeps nothing else.
 */
import { Buffer } from 'node:buffer'
import { reportedOutput, type ReportedOutput } from '#contract/judging'

/** How many bytes are read and searched at a time. */
const READ_BYTES = 64 * 1024

/** How an output begins: subtask and case come first in the schema, and streams in base64 have neither quotes nor braces. */
function beginningOf(subtask: number, caseIndex: number): string {
  return `{"task":${subtask},"case":${caseIndex},`
}

/** The kept output of one case; undefined if none was kept. @param stored JSON of a list of `reportedOutput` */
export async function findKeptOutput(
  stored: ReadableStream,
  subtask: number,
  caseIndex: number,
): Promise<ReportedOutput | undefined> {
  const beginning = beginningOf(subtask, caseIndex)
  const reader = stored.getReader({ mode: 'byob' })
  let seen = Buffer.alloc(0)
  for (;;) {
    const { value, done } = await reader.readAtLeast(READ_BYTES, new Uint8Array(READ_BYTES))
    seen = Buffer.concat([seen, value ?? new Uint8Array()])
    const begin = seen.indexOf(beginning)
    const end = begin < 0 ? -1 : seen.indexOf('}', begin)
    if (end >= 0) {
      await reader.cancel()
      return reportedOutput.parse(JSON.parse(seen.toString('latin1', begin, end + 1)))
    }
    if (done) return undefined
    // The output may have begun at the end of what was read.
    seen = seen.subarray(begin < 0 ? -beginning.length : begin)
  }
}
