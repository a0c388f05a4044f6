import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { ExplainedMark } from '#contract/gradebook'
import { MarkSentences } from '../../components/marks/mark-sentences.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { markId } from '../../lib/queries/marks.ts'
import { questionQuery } from '../../lib/queries/questions.ts'
import { AskAboutMark, QuestionAboutMark } from './ask-about-mark.tsx'
import classes from './marks.module.css'

/** Whether a student may ask about a mark: no question about it waits for staff. */
function useMayAsk({ column, questionId }: ExplainedMark): boolean {
  const { may } = useCourse()
  const question = useQuery({ ...questionQuery(questionId ?? ''), enabled: questionId !== null })
  const waits = questionId !== null && (question.data?.state ?? 'open') === 'open'
  return may('question.ask') && column.kind !== 'total' && !waits
}

interface MarkDetailsProps {
  mark: ExplainedMark
  title: string
  /** Whether the reader is the student of the mark. */
  isOwn: boolean
}

/** A mark's name, which opens why it is what it is. The address opens the mark that it names after `#`. */
export function MarkDetails({ mark, title, isOwn }: MarkDetailsProps) {
  const mayAsk = useMayAsk(mark)
  const id = markId(mark.column.id)
  const isTarget = useLocation().hash === `#${id}`
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isTarget) head.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  return (
    <details id={id} open={isTarget}>
      <summary ref={head} className={classes.name}>
        {title}
      </summary>
      <Stack gap={8} mt={6} mb={4}>
        <MarkSentences mark={mark} />
        {mark.questionId === null ? null : <QuestionAboutMark questionId={mark.questionId} />}
        {isOwn && mayAsk ? <AskAboutMark mark={mark} /> : null}
      </Stack>
    </details>
  )
}
