import { Button, Title, VisuallyHidden } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownHint, SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { Markdown, useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { useSession } from '../../lib/session/session.ts'
import { HintHelped } from './hint-helped.tsx'
import classes from './submission-page.module.css'

/** How many hints came while the page was open. */
function useNewHints(hints: readonly ShownHint[]): number {
  const [old] = useState(() => new Set(hints.map(({ hintId }) => hintId)))
  return hints.filter(({ hintId }) => !old.has(hintId)).length
}

/** Loads what shows hints while the verdict is awaited. */
function HintsSoon() {
  useMarkdownSoon()
  return null
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
      {status === STATUS.PENDING ? <HintsSoon /> : null}
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
            {isOwn ? <HintHelped submissionId={submissionId} hint={hint} /> : null}
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
