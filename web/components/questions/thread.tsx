import { Button, Group } from '@mantine/core'
import { useDocumentVisibility, useInViewport } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { QuestionMessage, QuestionThread } from '#contract/questions'
import { call } from '../../lib/api/call.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshQuestions, threadId } from '../../lib/queries/questions.ts'
import { useSession } from '../../lib/session/session.ts'
import { FormError } from '../forms/form-error.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { TimeText } from '../display/time-text.tsx'
import { OpenedMessageForm } from './opened-message-form.tsx'
import classes from './questions.module.css'
import { StateBadge } from './state-badge.tsx'
import { useReturnFocus } from './use-return-focus.ts'

/**
 * Marks a thread with a new answer as read once its student sees it: the thread is in view, and its tab is the
 * visible one.
 * @returns the ref of the thread's element
 */
function useMarkRead({ questionId, messages }: QuestionThread, isUnread: boolean) {
  const messageId = messages.at(-1)?.messageId
  const { ref, inViewport } = useInViewport<HTMLDetailsElement>()
  const isSeen = useDocumentVisibility() === 'visible' && inViewport
  useEffect(() => {
    if (!isUnread || !isSeen || messageId === undefined) return
    // If this call fails, it is made again when the thread is next shown.
    call('PUT /question/:id/read', { params: { id: questionId }, body: { messageId } }).then(
      refreshQuestions,
      () => undefined,
    )
  }, [isUnread, isSeen, questionId, messageId])
  return ref
}

function Message({ message, isStaff }: { message: QuestionMessage; isStaff: boolean }) {
  const { t } = useTranslation()
  const { author, markdown, createTime } = message
  return (
    <li className={classes.message} data-staff={isStaff || undefined}>
      <Group className={classes.by} align="baseline" gap="0 10px" mb={2} fz="0.8125rem" c="dimmed">
        <strong>{author.displayedName || author.username}</strong>
        {isStaff ? <span className={classes.staff}>{t('question.staff')}</span> : null}
        <TimeText at={createTime} relative />
      </Group>
      <Markdown text={markdown} />
    </li>
  )
}

interface ThreadFootProps {
  thread: QuestionThread
  /** Called once a message was sent or the thread was settled. */
  onDone: () => void
}

/** The buttons of a thread, or the form that one of them opens. */
function ThreadFoot({ thread, onDone }: ThreadFootProps) {
  const { t } = useTranslation()
  const [isReplying, setIsReplying] = useState(false)
  const button = useReturnFocus(isReplying)
  const { questionId, etag } = thread
  const params = { id: questionId }
  const resolving = useMutation({
    // The API refuses this if a message has come since the thread was read.
    mutationFn: () =>
      call('PATCH /question/:id', { params, body: { state: 'resolved' }, ifMatch: etag }),
    onSuccess: onDone,
    // This reads newer messages, too.
    onSettled: refreshQuestions,
  })
  if (isReplying)
    return (
      <OpenedMessageForm
        label={t('question.reply')}
        sendLabel={t('question.send')}
        onSend={(markdown, key) =>
          call('POST /question/:id/messages', { params, body: { markdown }, key })
        }
        onSent={() => {
          setIsReplying(false)
          onDone()
        }}
        onCancel={() => setIsReplying(false)}
      />
    )
  return (
    <>
      <FormError error={resolving.error} />
      <Group gap="xs" className="app-screen-only">
        <Button ref={button} size="xs" variant="default" onClick={() => setIsReplying(true)}>
          {t('question.reply')}
        </Button>
        {thread.state === 'resolved' ? null : (
          <Button
            size="xs"
            variant="subtle"
            loading={resolving.isPending}
            onClick={() => resolving.mutate()}
          >
            {t('question.resolve')}
          </Button>
        )}
      </Group>
    </>
  )
}

interface ThreadProps {
  thread: QuestionThread
  /** Whether the thread was just begun on this page. Such a thread takes the focus, like a thread that the address names. */
  isNew?: boolean
  /** Whether the page shows only this thread. */
  isAlone?: boolean
}

/**
 * A question with its messages; everyone who may see it may reply and resolve. In a list, settled questions are folded
 * unless their student has not read the answer.
 */
export function Thread({ thread, isNew = false, isAlone = false }: ThreadProps) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { may } = useCourse()
  const { questionId, line, state, messages, student, waiting } = thread
  const id = threadId(questionId)
  const isTarget = useLocation().hash === `#${id}` || isNew
  const head = useRef<HTMLElement>(null)
  const isUnread = waiting && student.username === user?.username
  const [wasUnread, setWasUnread] = useState(isUnread)
  // A thread that was just marked as read must not fold while the student reads it.
  if (isUnread && !wasUnread) setWasUnread(true)
  const shown = useMarkRead(thread, isUnread)
  useEffect(() => {
    if (!isTarget) return
    head.current?.scrollIntoView({ block: 'center' })
    head.current?.focus({ preventScroll: true })
  }, [isTarget])
  return (
    <details
      ref={shown}
      id={id}
      className={classes.thread}
      open={state !== 'resolved' || isTarget || wasUnread || isAlone}
    >
      <summary ref={head} className={classes.head}>
        {line !== null
          ? t('question.line', { line })
          : t(thread.request ? 'requests.one' : 'question.one')}{' '}
        <StateBadge state={state} />
      </summary>
      <ol className={classes.messages}>
        {messages.map((message) => (
          <Message
            key={message.messageId}
            message={message}
            isStaff={message.author.username !== student.username}
          />
        ))}
      </ol>
      {may('question.ask') ? (
        <ThreadFoot thread={thread} onDone={() => head.current?.focus()} />
      ) : null}
    </details>
  )
}
