import { Button, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './problem-form.module.css'

/** The parts of the form in their order, by the keys of their headings. */
const PARTS = [
  'problemForm.basics',
  'problemForm.statement',
  'problem.samples',
  'problemForm.testData',
  'compare.title',
] as const
type Part = (typeof PARTS)[number]

const idOf = (part: Part) => `part-${PARTS.indexOf(part)}`

/** A part of the form under its heading. */
export function FormSection({ part, children }: { part: Part; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <section className={`app-card ${classes.section}`}>
      <Title order={2} id={idOf(part)} tabIndex={-1}>
        {t(part)}
      </Title>
      {children}
    </section>
  )
}

/** Leads to the parts of the form, beside the buttons that stay in sight. */
export function FormOutline() {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('problemForm.outline')} className={classes.outline}>
      {PARTS.map((part) => (
        <Button
          key={part}
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            const heading = document.getElementById(idOf(part))
            heading?.scrollIntoView({ block: 'start' })
            heading?.focus({ preventScroll: true })
          }}
        >
          {t(part)}
        </Button>
      ))}
    </nav>
  )
}
