/** The outputs that people may look at later: the first 64 KiB of each stream, within a total per judgement. */
import type { FileHandle } from 'node:fs/promises'
import type { ReportedOutput } from '#contract/judging'
import { KEPT_OUTPUT_BYTES, KEPT_OUTPUT_TOTAL_BYTES } from '#contract/limits'
import type { RunResult } from '../sandbox/box.ts'

/** The start of a file, and the size of the whole file in bytes. */
export interface FileStart {
  start: Buffer
  size: number
}

/** Reads as much of a file as may be kept of it. */
export async function readStart(file: FileHandle): Promise<FileStart> {
  const { size } = await file.stat()
  const buffer = Buffer.alloc(Math.min(size, KEPT_OUTPUT_BYTES))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
  return { start: buffer.subarray(0, bytesRead), size }
}

export class KeptOutputs {
  readonly reported: ReportedOutput[] = []
  private roomBytes = KEPT_OUTPUT_TOTAL_BYTES

  /**
   * Keeps a case's streams if all of them still fit; otherwise it keeps none. It never cuts a stream to fit.
   * @param where numbers of subtask and case
   * @param stdout the start of its output
   * @param reference what is shown next to the output
   */
  async keep(
    where: { task: number; case: number },
    result: RunResult,
    stdout: FileStart,
    reference: FileHandle,
  ): Promise<void> {
    const expected = await readStart(reference)
    const stderr = Buffer.from(result.stderr).subarray(0, KEPT_OUTPUT_BYTES)
    const bytes = stdout.start.length + expected.start.length + stderr.length
    if (bytes > this.roomBytes) return
    this.roomBytes -= bytes
    this.reported.push({
      ...where,
      stdout: stdout.start.toString('base64'),
      stdoutSize: result.outputBytes,
      stderr: stderr.toString('base64'),
      stderrSize: result.stderrBytes,
      expected: expected.start.toString('base64'),
      expectedSize: expected.size,
    })
  }
}
