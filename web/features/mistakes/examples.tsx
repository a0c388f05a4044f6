import { Anchor, Skeleton, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { FailedCase, MistakeGroup } from '#contract/mistakes'
import { ignoresCase, type ShownCompareMode } from '#contract/problems/compare'
import type { CaseOutput, SubmissionDetail } from '#contract/submissions'
import { TextBox } from '../../components/code/case-texts.tsx'
import { ColouredLine } from '../../components/code/coloured-block.tsx'
import { LineBlocks } from '../../components/code/line-blocks.tsx'
import box from '../../components/code/text-box.module.css'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { outputQuery, submissionQuery } from '../../lib/queries/submissions.ts'
import { compareOutputs } from '../../lib/text/compare-outputs.ts'
import { useColouredCode } from '../../lib/text/use-coloured-code.ts'
import { paths } from '../../paths.ts'
import classes from './mistakes.module.css'

/** The text of a compiler with its size, as a box shows it. */
function keptOf(text: string) {
  return { text, size: new TextEncoder().encode(text).length }
}

/** The source of a program with line numbers. */
function ProgramBox({ submission: { code, languageType } }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const coloured = useColouredCode(code, languageOf(languageType).editor)
  const lines = useMemo(() => code.replace(/\n$/, '').split('\n'), [code])

  function renderLine(index: number) {
    const words = coloured?.[index]
    return (
      <span key={index} className={classes.line}>
        {words ? <ColouredLine words={words} /> : lines[index]}
      </span>
    )
  }

  return (
    <figure className={box.box} aria-label={t('submission.source')}>
      <figcaption>{t('submission.source')}</figcaption>
      <pre className={classes.code} tabIndex={0}>
        <LineBlocks lines={lines} numbered renderLine={renderLine} />
      </pre>
    </figure>
  )
}

/** What a program printed on the case, with the lines marked that differ. */
function Outputs({ output, compare }: { output: CaseOutput; compare: ShownCompareMode }) {
  const { t } = useTranslation()
  const own = { text: output.stdout, size: output.stdoutSize }
  const expected = { text: output.expected, size: output.expectedSize }
  const stderr = { text: output.stderr, size: output.stderrSize }
  const { own: lines } = compareOutputs(own, expected, compare.mode, ignoresCase(compare))
  return (
    <>
      <TextBox
        label={t('caseTexts.ownOutput')}
        file="output.txt"
        of={own}
        compared={{ lines, side: 'own', compare }}
      />
      {stderr.size > 0 ? (
        <TextBox label={t('caseTexts.errorOutput')} file="error-output.txt" of={stderr} />
      ) : null}
    </>
  )
}

interface ExampleProps {
  submissionId: string
  failed: FailedCase | null
  compare: ShownCompareMode
}

/** The output of a program on the case in which it failed first. */
function ExampleOutput({ submissionId, failed, compare }: ExampleProps & { failed: FailedCase }) {
  const { t } = useTranslation()
  const output = useQuery(outputQuery(submissionId, null, failed.task, failed.case))
  if (output.isPending) return <Skeleton height={90} />
  if (isRefusal(output.error, 'output_not_found'))
    return <Text size="sm">{t('error.output_not_found')}</Text>
  if (output.isLoadingError) return <ErrorBox of={output} />
  return <Outputs output={output.data} compare={compare} />
}

/** One of the programs: whose it is, what it printed, and its source. */
function Example({ submissionId, failed, compare }: ExampleProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const submission = useQuery(submissionQuery(submissionId))
  if (submission.isPending) return <Skeleton height={260} />
  if (submission.isLoadingError) return <ErrorBox of={submission} />
  const { user, languageType, timestamp, compileMessage } = submission.data
  return (
    <section
      className={classes.example}
      aria-label={t('mistakes.programOf', { name: user.displayedName || user.username })}
    >
      <div className={classes.exampleHead}>
        <Anchor component={Link} to={paths.submission(course, submissionId)} fw={600}>
          <Person user={user} />
        </Anchor>
        <Text span fz="0.8125rem" c="dimmed">
          {languageOf(languageType).label} · <TimeText at={timestamp} />
        </Text>
      </div>
      {failed ? <ExampleOutput {...{ submissionId, failed, compare }} /> : null}
      {compileMessage ? (
        <TextBox
          label={t('submission.compileMessage')}
          file="compile-message.txt"
          of={keptOf(compileMessage)}
        />
      ) : null}
      <ProgramBox submission={submission.data} />
    </section>
  )
}

/** Input and expected output of the case, from the first program that still has them. */
function CaseBoxes({ group, isTalk }: { group: MistakeGroup; isTalk: boolean }) {
  const { t } = useTranslation()
  const { failed, examples } = group
  const outputs = useQueries({
    queries:
      failed === null
        ? []
        : examples.map((submissionId) => outputQuery(submissionId, null, failed.task, failed.case)),
  })
  const output = outputs.find(({ data }) => data !== undefined)?.data
  if (failed === null) return null
  if (output === undefined)
    return outputs.some(({ isPending }) => isPending) ? <Skeleton height={90} /> : null
  const { input, inputSize, expected, expectedSize } = output
  return (
    <div className={classes.boxes}>
      {isTalk ? null : input === null || inputSize === null ? (
        <Text size="sm">{t('mistakes.inputGone')}</Text>
      ) : (
        <TextBox
          label={t('caseTexts.input')}
          file="input.txt"
          of={{ text: input, size: inputSize }}
        />
      )}
      <TextBox
        label={t(isTalk ? 'caseTexts.interactorOutput' : 'caseTexts.expectedOutput')}
        file="expected.txt"
        of={{ text: expected, size: expectedSize }}
      />
    </div>
  )
}

/** The case of a group, and at most three of its programs side by side. */
export function Examples({ problemId, group }: { problemId: number; group: MistakeGroup }) {
  const { data: problem, isPending } = useQuery(problemQuery(problemId))
  // If the problem cannot be read, lines are compared in the default mode.
  const compare: ShownCompareMode = problem?.compare ?? { mode: 'lines' }
  if (isPending) return <Skeleton height={260} />
  return (
    <>
      <CaseBoxes group={group} isTalk={compare.mode === 'interactor'} />
      <div className={classes.examples}>
        {group.examples.map((submissionId) => (
          <Example
            key={submissionId}
            submissionId={submissionId}
            failed={group.failed}
            compare={compare}
          />
        ))}
      </div>
    </>
  )
}
