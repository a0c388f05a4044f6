/** The parts that the judge's benchmarks share: a folder, compiled programs, a slot, and jobs judged as by a runner. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Job } from '#contract/judging'
import { languageOfId } from '#contract/languages'
import type { LanguageId } from '#contract/languages/codes'
import { CaseGate } from '../../../runner/judge/case-gate.ts'
import { compileRequest } from '../../../runner/compile/request.ts'
import { judge, type Judgement } from '../../../runner/judge/judge.ts'
import type { Box, Limits } from '../../../runner/sandbox/box.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { prepareTools } from '../../../runner/host/tools.ts'
import { ROOT } from '../../root.ts'

const execute = promisify(execFile)

export const TRIVIAL = 'int main(void) { return 0; }\n'

export const LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 20_000,
  memoryKb: 256 * 1024,
  outputBytes: 1024 * 1024,
  pids: 32,
  workDirBytes: 64 * 1024 * 1024,
}

/** One opened slot and a folder to work in. */
export class Workshop {
  readonly folder: string
  readonly slot: Slot
  private readonly gate = new CaseGate()

  private constructor(folder: string, slot: Slot) {
    this.folder = folder
    this.slot = slot
  }

  static async open(index: number): Promise<Workshop> {
    // The folder is not below /tmp, because boxes have a /tmp of their own and would not reach the precompiled header.
    await mkdir(join(ROOT, 'build/bench-tools'), { recursive: true })
    const folder = await mkdtemp(join(ROOT, 'build/bench-'))
    await chmod(folder, 0o755)
    const toolsDir = await prepareTools(join(ROOT, 'build/bench-tools'), (event, fields) => {
      throw new Error(`${event}: ${JSON.stringify(fields)}`)
    })
    const slot = await openSlot({ index, ...(toolsDir !== undefined && { toolsDir }) })
    return new Workshop(folder, slot)
  }

  async close(): Promise<void> {
    await this.slot.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Compiles C on the host. */
  async program(name: string, source: string): Promise<string> {
    const path = join(this.folder, name)
    await writeFile(`${path}.c`, source)
    await execute('/usr/bin/gcc', ['-O2', '-w', '-o', path, `${path}.c`, '-lpthread'])
    return path
  }

  /** The slot's first or second box, with this C program in it. */
  async boxWith(source: string, second = false): Promise<Box> {
    const box = await (second ? this.slot.openRefereeBox() : this.slot.openBox())
    const compiled = await box.compile(await compileRequest(languageOfId('c'), Buffer.from(source)))
    if (!compiled.ok) throw new Error(Buffer.from(compiled.message).toString())
    return box
  }

  /** Runs the box's program once; `text` is its output. */
  async run(box: Box, limits: Partial<Limits> = {}, stdin = '') {
    const path = join(this.folder, 'input')
    await writeFile(path, stdin)
    const input = await open(path, 'r')
    const output = await open(join(this.folder, 'output'), 'w+')
    try {
      const request = { argv: ['/box/main'], input, output, limits: { ...LIMITS, ...limits } }
      const begin = performance.now()
      const result = await box.run(request)
      const waitedMs = performance.now() - begin
      return { ...result, waitedMs, text: await output.readFile('utf8') }
    } finally {
      await input.close()
      await output.close()
    }
  }

  /** Judges a submission from source to verdict; every case has an empty input and the same expected output. */
  async judge(
    language: LanguageId,
    source: string,
    caseCount: number,
    expected: string,
  ): Promise<Judgement> {
    await writeFile(join(this.folder, 'input'), '')
    await writeFile(join(this.folder, 'expected'), expected)
    const subtask = {
      caseCount,
      taskScore: 100,
      sample: false,
      timeLimit: 10_000,
      memoryLimit: LIMITS.memoryKb,
      outputLimit: 1_024,
    }
    const job: Job = {
      judgementId: '0'.repeat(24),
      submissionId: '1'.repeat(24),
      attempt: 1,
      lease: 'lease',
      leaseSeconds: 60,
      language,
      source: Buffer.from(source).toString('base64'),
      testData: { version: '1', sha256: null, size: 1, url: '/' },
      tasks: [subtask],
      compare: { mode: 'lines' },
      rank: 0,
    }
    return judge(job, {
      slot: this.slot,
      acquireTestData: async () => ({
        inputPath: () => join(this.folder, 'input'),
        expectedPath: () => join(this.folder, 'expected'),
        release() {},
      }),
      gate: this.gate,
      scratchDir: this.folder,
      onProgress() {},
      signal: new AbortController().signal,
    })
  }
}
