/** The texts of the submit page: languages, quota, drafts, sending and sample runs. */
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages'
import type { SampleRun } from '#contract/judging/sample-runs'
import type { Problem } from '#contract/problems'
import { UploadProgress } from '../../web/features/problems/upload/upload-progress.tsx'
import { languagesQuery } from '../../web/features/submit/api.ts'
import { DraftNotice } from '../../web/features/submit/draft-notice.tsx'
import { HandInBar } from '../../web/features/submit/hand-in-bar.tsx'
import { HowCompiled } from '../../web/features/submit/how-compiled.tsx'
import { RunPanel } from '../../web/features/submit/run-panel.tsx'
import { RunResults } from '../../web/features/submit/run-results.tsx'
import { SendingNotice } from '../../web/features/submit/sending-notice.tsx'
import { SubmitBar } from '../../web/features/submit/submit-bar.tsx'
import type { SampleRunState } from '../../web/features/submit/use-sample-run.ts'
import { ApiError } from '../../web/lib/api/api-error.ts'
import { controlsOf, idOf, render, textOf } from './fixtures/rendered.tsx'

const [c, cpp] = LANGUAGES
const nothing = () => {}

/** The fields of a problem that the page needs. */
const problem = (change: object = {}) =>
  ({
    problemId: 7,
    allowedLanguage: 3,
    ownQuota: 3,
    quotaUsed: 1,
    compare: { mode: 'lines' },
    ...change,
  }) as Problem

describe('the bar', () => {
  const bar = (change: object, language = cpp) =>
    render(
      <SubmitBar
        problem={problem(change)}
        language={language ?? null}
        onChoose={nothing}
        onFile={nothing}
        isHelpOpen={false}
        onHelp={nothing}
      />,
    )

  it('offers the languages of the problem, and says what is left', () => {
    expect(textOf(bar({}))).toBe('Language C C++ Open a file 2 of 3 submissions left today')
    expect(/<option[^>]*selected[^>]*>([^<]*)/.exec(bar({}))?.[1]).toBe('C++')
    expect(textOf(bar({ allowedLanguage: 4, quotaUsed: 5 }))).toBe(
      'Language Python 3 Open a file 0 of 3 submissions left today',
    )
    expect(textOf(bar({ ownQuota: -1 }))).toContain('Open a file Unlimited submissions')
  })
})

describe('how a language is compiled', () => {
  const shown = (versions: string[]) =>
    textOf(
      render(c ? <HowCompiled language={c} /> : null, {
        reads: [
          [
            languagesQuery,
            [
              { id: 'cpp', versions: ['g++ 14'] },
              { id: 'c', versions },
            ],
          ],
        ],
      }),
    )

  it('is told with the versions of its own compiler on the hosts', () => {
    expect(shown(['gcc 12', 'gcc 13'])).toMatch(
      /^How C is compiled and run Compile \S*gcc .*main\.c -lm Run .*main Version gcc 12\ngcc 13$/,
    )
    expect(shown([])).toMatch(/No judge host is at work right now\.$/)
  })
})

describe('the draft', () => {
  const notice = (change: object) => {
    const program = { isOther: false, isRestored: false, versions: [], ...change }
    return textOf(
      render(
        <DraftNotice
          program={program as unknown as Parameters<typeof DraftNotice>[0]['program']}
        />,
      ),
    )
  }

  it('says what is kept, and another tab’s version before all', () => {
    expect(notice({})).toBe('')
    expect(notice({ isRestored: true })).toBe('Your draft has been restored. Start afresh')
    expect(notice({ versions: ['a'] })).toBe(
      'Another version of your program is kept here. Switch Discard',
    )
    expect(notice({ versions: ['a', 'b'] })).toBe(
      '2 other versions of your program are kept here. Switch Discard',
    )
    expect(notice({ isOther: true, isRestored: true, versions: ['a'] })).toBe(
      "Another tab has a different version of this program. Both versions are kept. Use the other tab's Keep mine",
    )
  })
})

describe('sending', () => {
  const notice = (change: object) =>
    textOf(
      render(
        <SendingNotice
          delay={null}
          isCancelled={false}
          send={() => Promise.resolve(null)}
          cancel={nothing}
          leave={nothing}
          {...change}
        />,
      ),
    )
  const soon = Date.now() + 3_600_000

  it('says why a program has not arrived, and when it is sent again', () => {
    expect(notice({})).toBe('')
    expect(notice({ isCancelled: true })).toMatch(/^Your code will not be sent again/)
    expect(notice({ delay: { why: 'busy', untilMs: soon } })).toMatch(
      /^The judge is busy\..* again in 3\d{3} s\. Do not send$/,
    )
    expect(notice({ delay: { why: 'lost', untilMs: soon } })).toMatch(
      /^The judge cannot be reached\./,
    )
    expect(notice({ delay: { why: 'limited', untilMs: 0 } })).toMatch(
      /^You have submitted often in a short time\..* Sending again … Do not send$/,
    )
  })
})

const RUN: SampleRun = {
  runId: idOf(1),
  problemId: 7,
  state: 'done',
  status: 0,
  compileMessage: null,
  cases: [],
}
const state = (change: object = {}): SampleRunState => ({
  run: undefined,
  program: null,
  inputs: [],
  sampleCount: 2,
  failed: 0,
  error: null,
  isStarting: false,
  isRunning: false,
  start: nothing,
  warnsOf: () => false,
  ...change,
})

describe('the buttons', () => {
  const bar = (change: object, sampleRun: SampleRunState = state()) => {
    const handIn = {
      submission: { isPending: false },
      sampleRun,
      warns: false,
      canRun: true,
      send: nothing,
      run: nothing,
      ...change,
    }
    const props = handIn as unknown as Parameters<typeof HandInBar>[0]
    return render(<HandInBar {...props} note={null} />)
  }

  it('run what there is, and warn of samples that fail', () => {
    expect(textOf(bar({}))).toBe('Run samples Submit')
    expect(textOf(bar({}, state({ sampleCount: 0 })))).toBe('Run Submit')
    expect(textOf(bar({ canRun: false }))).toMatch(
      /^Programs for this problem talk with an interactor.* Submit$/,
    )
    expect(textOf(bar({ warns: true }, state({ failed: 1 })))).toBe(
      'This program fails 1 of 2 samples. You can submit it anyway. Run samples Submit anyway',
    )
    expect(textOf(bar({ warns: true }, state({ failed: 1, sampleCount: 1 })))).toMatch(
      /^This program fails the sample\./,
    )
  })
})

describe('a sample run', () => {
  const panel = (sampleRun: SampleRunState) =>
    render(
      <RunPanel
        problem={problem()}
        username="ann"
        onInputs={nothing}
        sampleRun={sampleRun}
        onLine={nothing}
      />,
    )
  const results = (sampleRun: SampleRunState) =>
    render(<RunResults problem={problem()} sampleRun={sampleRun} onLine={nothing} />)
  const summary = (change: object) =>
    /^(.*?) ?Results and own inputs/.exec(textOf(panel(state(change))))?.[1]
  const refused = (code: string) => new ApiError({ status: 404, code, message: 'Refused.' })

  it.each<[object, string]>([
    [{}, ''],
    [{ isRunning: true }, 'Waiting for a judge host …'],
    [{ isRunning: true, run: { ...RUN, state: 'running' } }, 'Running …'],
    [
      { run: { ...RUN, state: 'failed' } },
      'No judge host finished this run. Nothing is lost; run it again.',
    ],
    [{ run: { ...RUN, status: 2 } }, 'Compile Error'],
    [{ run: { ...RUN, status: 6 } }, 'Judge Error'],
    [{ run: RUN, sampleCount: 0 }, 'The program has run.'],
    [{ run: RUN }, 'All 2 samples are right.'],
    [{ run: RUN, sampleCount: 1 }, 'The sample is right.'],
    [{ run: RUN, failed: 1 }, '1 of 2 samples are not right.'],
    [{ run: RUN, failed: 1, sampleCount: 1 }, 'The sample is not right.'],
    [
      { run: RUN, error: refused('run_not_found') },
      'This run is gone: a newer one replaced it, or an hour has passed. Run it again.',
    ],
    [
      { run: RUN, error: refused('forbidden') },
      'The action failed You are not allowed to do this.',
    ],
  ])('is told in a sentence: %j', (change, text) => {
    expect(summary(change)).toBe(text)
  })

  it('shows what each input led to, with its name and what was expected of it', () => {
    const output = (stdout: string, expected: string) => ({
      stdout,
      stdoutSize: stdout.length,
      expected,
      expectedSize: expected.length,
      stderr: '',
      stderrSize: 0,
    })
    const ran = { runTime: 5, memoryUsage: 1_024 }
    const cases = [
      { ...ran, status: 0, matches: true, output: output('3\n', '3\n') },
      { ...ran, status: 1, matches: false, output: output('4\n', '5\n') },
      { ...ran, status: 0, matches: null, output: output('6\n', '') },
      { ...ran, status: 5, matches: null, output: null },
      { status: 6, matches: null, output: null, runTime: null, memoryUsage: null },
    ]
    const inputs = [
      { isSample: true, number: 1, text: 'one' },
      { isSample: true, number: 2, text: 'two' },
      { isSample: false, number: 2, text: 'own' },
      { isSample: false, number: 3, text: 'x' },
      { isSample: false, number: 4, text: 'y' },
    ]
    const markup = results(state({ run: { ...RUN, cases }, inputs }))
    const details = [...markup.matchAll(/<details[^]*?<\/details>/g)].map(([part]) => part)
    expect(details.map(textOf)).toEqual([
      'Sample 1 Accepted 5 ms · 1 MB Input (3 B) one Expected output (2 B) 3 Output of the program (2 B) 3',
      'Sample 2 Wrong Answer 5 ms · 1 MB The first difference is in line 1. Input (3 B) two Expected output (2 B) 5 Output of the program (2 B) 4',
      'Own input 2 Ended without an error 5 ms · 1 MB Input (3 B) own Output of the program (2 B) 6',
      'Own input 3 Runtime Error 5 ms · 1 MB The output was too long to keep.',
      'Own input 4 Judge Error – · –',
    ])
    const open = (parts: string[]) => parts.map((part) => /^<details[^>]* open/.test(part))
    // The first wrong sample opens; if none is wrong, the own inputs open.
    expect(open(details)).toEqual([false, true, false, false, false])
    const [right, , ...own] = cases
    const allRight = results(state({ run: { ...RUN, cases: [right, ...own] }, inputs }))
    const shown = [...allRight.matchAll(/<details[^]*?<\/details>/g)].map(([part]) => part)
    expect(open(shown)).toEqual([false, true, true, true])
    expect(
      textOf(results(state({ run: { ...RUN, status: 2, compileMessage: 'main.c:1: error' } }))),
    ).toContain('main.c:1 : error')
  })

  it('has a box for an input of one’s own, and one more as long as a run takes one', () => {
    expect(Object.keys(controlsOf(panel(state())))).toEqual([
      'Results and own inputs',
      'Another input',
    ])
  })
})

describe('an upload', () => {
  const progress = (share: number, waitSeconds: number | null = null) =>
    textOf(render(<UploadProgress share={share} waitSeconds={waitSeconds} onCancel={nothing} />))

  it('says how much of it was sent, that it is being checked, and when it waits', () => {
    expect(progress(0.424)).toBe('Uploading … 42 % Cancel upload')
    expect(progress(1)).toBe('Sent. The server is checking the zip … Cancel upload')
    expect(progress(0, 1)).toContain('The upload continues automatically in 1 second.')
  })
})
