import { Button, Text, Title, VisuallyHidden } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownHint } from '#contract/mistakes'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { FormError } from '../../components/forms/form-error.tsx'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { useOnline } from '../../lib/api/connection.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useSession } from '../../lib/session/session.ts'
import { hintAnswering } from './hint-answer.ts'
import classes from './submission-page.module.css'

interface HelpedProps {
  submissionId: string
  hint: ShownHint
}

/** Asks the submitter whether a hint helped. The pressed button is the answer, which may change. */
function Helped({ submissionId, hint: { hintId, helped } }: HelpedProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const isOnline = useOnline()
  const { isPending, variables, error, mutate } = useMutation(hintAnswering(submissionId, hintId))
  const chosen = isPending ? variables : helped

  function answer(yes: boolean) {
    // The buttons stay enabled during the call, because a disabled one loses the focus.
    if (!isPending && yes !== helped) mutate(yes)
  }

  return (
    <div className="app-screen-only">
      <fieldset className={classes.helped} disabled={!isOnline || !may('submission.create')}>
        <legend>{t('hints.didHelp')}</legend>
        {[true, false].map((yes) => (
          <Button
            key={String(yes)}
            size="compact-sm"
            variant={yes === chosen ? 'filled' : 'default'}
            aria-pressed={yes === chosen}
            onClick={() => answer(yes)}
          >
            {t(yes ? 'common.yes' : 'common.no')}
          </Button>
        ))}
        <Text component="output" size="sm" c="dimmed">
          {helped === null || isPending ? null : t('hints.thanks')}
        </Text>
      </fieldset>
      <FormError error={error} />
    </div>
  )
}

/** How many hints came while the page was open. */
function useNewHints(hints: readonly ShownHint[]): number {
  const [old] = useState(() => new Set(hints.map(({ hintId }) => hintId)))
  return hints.filter(({ hintId }) => !old.has(hintId)).length
}

/**
 * What staff wrote for everybody who made the same mistake, under the verdict. A hint that comes while the page is open leaves the
 * reader's place and focus alone: screen readers announce it, and a button leads to it if it is out of sight.
 */
export function Hints({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { submissionId, status } = submission
  const hints = status === STATUS.PENDING ? [] : submission.hints
  const count = useNewHints(hints)
  const { ref, inViewport } = useInViewport<HTMLElement>()
  const [seen, setSeen] = useState(0)
  if (inViewport && seen !== count) setSeen(count)
  const isOwn = submission.user.username === user?.username

  function lead() {
    const place = document.getElementById('hints')
    place?.scrollIntoView({ block: 'center' })
    place?.focus({ preventScroll: true })
  }

  return (
    <>
      <VisuallyHidden>
        <output>{count > 0 ? t('hints.came', { count }) : null}</output>
      </VisuallyHidden>
      <section ref={ref} aria-labelledby={hints.length > 0 ? 'hints' : undefined}>
        {hints.length > 0 ? (
          <Title order={2} id="hints" tabIndex={-1} className={classes.hintTitle}>
            {t('hints.title', { count: hints.length })}
          </Title>
        ) : null}
        {hints.map((hint) => (
          <div key={hint.hintId} className={`app-card ${classes.hint}`}>
            <Markdown text={hint.markdown} />
            {isOwn ? <Helped submissionId={submissionId} hint={hint} /> : null}
          </div>
        ))}
      </section>
      {count > seen && !inViewport ? (
        <Button className={`app-screen-only ${classes.toHints}`} onClick={lead}>
          {t('hints.show')}
        </Button>
      ) : null}
    </>
  )
}
