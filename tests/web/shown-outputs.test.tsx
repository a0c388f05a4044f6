/** How the app shows a program's input, its output and the expected output. */
import { describe, expect, it, test } from 'vitest'
import { CaseTexts } from '../../web/components/code/case-texts.tsx'
import { VerdictBadge } from '../../web/components/judging/verdict-badge.tsx'
import { render, textOf } from './fixtures/rendered.tsx'

describe('what a program printed', () => {
  const kept = (text: string, size = text.length) => ({ text, size })
  const shown = (change: Partial<Parameters<typeof CaseTexts>[0]> = {}) =>
    textOf(
      render(
        <CaseTexts
          input={kept('1 2\n')}
          own={kept('4\n')}
          expected={kept('3\n')}
          stderr={kept('')}
          compare={{ mode: 'lines' }}
          isWhole
          {...change}
        />,
      ),
    )

  it('stands beside what was expected', () => {
    expect(shown()).toBe(
      'The first difference is in line 1. Input (4 B) 1 2 Expected output (2 B) 3 Output of the program (2 B) 4',
    )
    expect(shown({ own: kept('3\n') })).not.toContain('difference')
    // A stopped program printed less than it would have.
    expect(shown({ isWhole: false })).not.toContain('difference')
  })

  it('is said to differ in signs that look like blanks, which are named', () => {
    expect(shown({ own: kept('3\u00a0\n') })).toMatch(
      /^Only invisible or blank-looking characters differ: U\+00A0\. The judge compares these characters too\. /,
    )
  })

  it('is compared with nothing where there is nothing, and has an error output where it wrote one', () => {
    expect(shown({ input: null, expected: null, stderr: kept('oops') })).toBe(
      'Output of the program (2 B) 4 Error output (4 B) oops',
    )
  })

  it('is told as a talk with an interactor, without an input', () => {
    const talk = shown({ compare: { mode: 'interactor' } })
    expect(talk).not.toContain('Input')
    expect(talk).toMatch(
      /^The program talked with an interactor.* Output of the interactor \(2 B\) 3 Output of the program \(2 B\) 4$/,
    )
    expect(shown({ compare: { mode: 'float' } })).toContain('Numbers may differ a little')
  })

  it('names the exception of Python, unless its end was cut', () => {
    const trace = 'Traceback (most recent call last):\n  File "x"\nKeyError: 1\n'
    expect(shown({ stderr: kept(trace) })).toContain('The exception: KeyError: 1')
    expect(shown({ stderr: kept(trace, 70_000) })).not.toContain('The exception:')
    expect(shown({ stderr: kept('KeyError: 1\n') })).not.toContain('The exception:')
  })

  it('says how much of it is shown', () => {
    expect(shown({ own: kept('4\n', 65_536) })).not.toContain('shown')
    expect(shown({ own: kept('4\n', 65_537) })).toContain('(64.0 KiB, first 64.0 KiB shown)')
  })
})

test('each verdict has its name', () => {
  const codes = [-1, 0, 1, 2, 3, 4, 5, 6, 7, null] as const
  expect(codes.map((status) => textOf(render(<VerdictBadge status={status} />)))).toEqual([
    'Pending',
    'Accepted',
    'Wrong Answer',
    'Compile Error',
    'Time Limit Exceed',
    'Memory Limit Exceed',
    'Runtime Error',
    'Judge Error',
    'Output Limit Exceed',
    'Skipped',
  ])
})
