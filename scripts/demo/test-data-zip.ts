/** Test-data zips: entries `ssTT.in` and `ssTT.out`, subtask and case from 0, two digits each. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter, configure } from '@zip.js/zip.js'

/** Input and expected output of one case, byte for byte. */
export interface TestCase {
  input: Uint8Array
  output: Uint8Array
}

configure({ useWebWorkers: false })

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Packs the cases of each subtask, in order. */
export async function packTestData(subtasks: TestCase[][]): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter(new Uint8ArrayWriter())
  for (const [subtask, cases] of subtasks.entries())
    for (const [index, testCase] of cases.entries()) {
      const name = `${twoDigits(subtask)}${twoDigits(index)}`
      await zip.add(`${name}.in`, new Uint8ArrayReader(testCase.input))
      await zip.add(`${name}.out`, new Uint8ArrayReader(testCase.output))
    }
  return new Uint8Array(await zip.close())
}
