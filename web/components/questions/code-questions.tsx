import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { questionCreated, type QuestionThread } from '#contract/questions'
import type { SubmissionDetail } from '#contract/submissions'
import { call } from '../../lib/api/call.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { submissionQuestionsQuery } from '../../lib/queries/questions.ts'
import { useSession } from '../../lib/session/session.ts'
import { ErrorBox } from '../feedback/error-box.tsx'
import { LineBlocks } from '../code/line-blocks.tsx'
import { OpenedMessageForm } from './opened-message-form.tsx'
import classes from './questions.module.css'
import { segmentsOf } from './segments.ts'
import { Thread } from './thread.tsx'

/** The element id of the button of a line, counted from 1. */
function buttonId(line: number): string {
  return `ask-line-${line}`
}

/** The element id of the form that asks about a line. */
function formId(line: number): string {
  return `asks-line-${line}`
}

/** How many lines a key moves the focus, from one line's button to another line's. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -20,
  PageDown: 20,
}

interface LineButtonsProps {
  /** What pressing a line's button does, e.g. "Ask about line 12". */
  labelOf: (line: number) => string
  count: number
  /** Index of the line that the Tab key comes to first. */
  shown: number
  onPress: (line: number) => void
}

/** The numbers of lines as buttons. Together they are one stop of the Tab key; the arrow keys move between them. */
function useLineButtons({ labelOf, count, shown, onPress }: LineButtonsProps) {
  const [visited, setVisited] = useState<number | null>(null)

  function onKeyDown(event: KeyboardEvent, line: number) {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(count, Math.max(1, line + step))
    document.getElementById(buttonId(next))?.focus()
  }

  return function renderNumber(index: number) {
    const line = index + 1
    return (
      <button
        key={index}
        id={buttonId(line)}
        type="button"
        className={classes.number}
        tabIndex={line === (visited ?? shown + 1) ? 0 : -1}
        aria-label={labelOf(line)}
        title={labelOf(line)}
        onFocus={() => setVisited(line)}
        onKeyDown={(event) => onKeyDown(event, line)}
        onClick={() => onPress(line)}
      >
        {line}
      </button>
    )
  }
}

interface UnderLineProps {
  submissionId: string
  line: number
  /** The questions about this line. */
  threads: QuestionThread[]
  /** Names the form: what pressing the line's number does. */
  label: string
  isAsking: boolean
  /** Called when a text is begun in the form, and when it is empty again. */
  onBegun: (line: number, isBegun: boolean) => void
  /** @param isSent false: the form was cancelled */
  onClose: (line: number, isSent: boolean) => void
}

/** What stands under a line: its questions, and the form of a new one. */
function UnderLine(props: UnderLineProps) {
  const { submissionId, line, threads, label, isAsking, onBegun, onClose } = props
  const { t } = useTranslation()
  const [newest, setNewest] = useState('')
  const noteBegun = useCallback((isBegun: boolean) => onBegun(line, isBegun), [onBegun, line])
  return (
    <>
      {threads.map((thread) => (
        <div key={thread.questionId} className={classes.under}>
          <Thread thread={thread} isNew={thread.questionId === newest} />
        </div>
      ))}
      {isAsking ? (
        <div id={formId(line)} className={classes.under}>
          <OpenedMessageForm
            label={label}
            sendLabel={t('question.send')}
            onSend={async (markdown, key) => {
              const { questionId } = await call('POST /submission/:id/questions', {
                params: { id: submissionId },
                body: { markdown, line },
                key,
                as: questionCreated,
              })
              setNewest(questionId)
            }}
            onSent={() => onClose(line, true)}
            onCancel={() => onClose(line, false)}
            onBegun={noteBegun}
          />
        </div>
      ) : null}
    </>
  )
}

/** The lines whose forms are open. Opening a form closes only those other forms that have no text. */
function useAsking() {
  const [asking, setAsking] = useState<readonly number[]>([])
  const begun = useRef(new Set<number>())

  const noteBegun = useCallback((line: number, isBegun: boolean) => {
    if (isBegun) begun.current.add(line)
    else begun.current.delete(line)
  }, [])

  function open(line: number) {
    document.getElementById(formId(line))?.querySelector('textarea')?.focus()
    setAsking([...asking.filter((other) => other !== line && begun.current.has(other)), line])
  }

  function close(line: number, isSent: boolean) {
    if (!isSent) document.getElementById(buttonId(line))?.focus()
    begun.current.delete(line)
    setAsking((open) => open.filter((other) => other !== line))
  }

  return { asking, noteBegun, open, close }
}

interface CodeQuestionsProps {
  submission: SubmissionDetail
  lines: readonly string[]
  /** Index of the line that the address names, else 0. This line is rendered even out of sight, because the keyboard needs it. */
  shown: number
  renderLine: (index: number) => ReactNode
}

/** The code of a submission. Pressing a line's number asks about the line; questions stand under their lines. */
export function CodeQuestions({ submission, lines, shown, renderLine }: CodeQuestionsProps) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { may } = useCourse()
  const { submissionId } = submission
  const questions = useQuery(submissionQuestionsQuery(submissionId))
  const { asking, noteBegun, open, close } = useAsking()
  const isOwn = submission.user.username === user?.username
  const labelOf = (line: number) =>
    t(isOwn ? 'question.askAtLine' : 'question.commentAtLine', { line })
  const renderNumber = useLineButtons({ labelOf, count: lines.length, shown, onPress: open })
  const mayAsk = may('question.ask')
  const threads = questions.data ?? []
  const ends = [...threads.map(({ line }) => line ?? 1), ...asking]

  return (
    <>
      <ErrorBox of={questions} />
      {mayAsk ? (
        <p className={`app-screen-only ${classes.hint}`}>
          {t(isOwn ? 'question.hint' : 'question.hintStaff')}
        </p>
      ) : null}
      <section
        className={classes.code}
        aria-label={t('submission.source')}
        data-asked={ends.length > 0 || undefined}
      >
        {segmentsOf(lines, ends).flatMap(({ first, lines: part }) => {
          const last = first + part.length
          // Each part has its own key, so that a new question closes no form.
          return [
            <pre key={`from-${first}`} className={classes.segment}>
              <LineBlocks
                lines={part}
                first={first}
                numbered
                shown={shown}
                renderLine={renderLine}
                renderNumber={mayAsk ? renderNumber : undefined}
              />
            </pre>,
            <UnderLine
              key={`under-${last}`}
              submissionId={submissionId}
              line={last}
              threads={threads.filter(({ line }) => line === last)}
              label={labelOf(last)}
              isAsking={asking.includes(last)}
              onBegun={noteBegun}
              onClose={close}
            />,
          ]
        })}
      </section>
    </>
  )
}
