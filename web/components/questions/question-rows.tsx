import { Anchor, Group, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { QuestionItem } from '#contract/questions'
import { questionPath } from '../../lib/queries/questions.ts'
import { TimeText } from '../display/time-text.tsx'
import classes from './questions.module.css'
import { StateBadge } from './state-badge.tsx'

interface QuestionRowsProps {
  items: QuestionItem[]
  /** Whether the reader is staff; then each row says who asked. */
  isStaff: boolean
  /** What a question is about, on pages about more than one problem. */
  renderSubject?: (item: QuestionItem) => ReactNode
  /** What the reader can do with a question at once, below it. */
  renderActions?: (item: QuestionItem) => ReactNode
}

function Row({
  item,
  isStaff,
  renderSubject,
  renderActions,
}: Omit<QuestionRowsProps, 'items'> & { item: QuestionItem }) {
  const { t } = useTranslation()
  const { line, student, excerpt, state, waiting, updateTime } = item
  const isNew = waiting && !(isStaff && state === 'open')
  return (
    <li className={classes.row} data-new={isNew || undefined}>
      <Anchor component={Link} to={questionPath(item)} className={classes.excerpt}>
        {excerpt}
      </Anchor>
      <Group mt={4} gap="2px 14px" fz="0.8125rem" c="dimmed">
        <StateBadge state={state} />
        {isNew ? <VisuallyHidden>{t('question.unread')}</VisuallyHidden> : null}
        {isStaff ? (
          <span title={student.username}>{student.displayedName || student.username}</span>
        ) : null}
        {renderSubject?.(item)}
        {line === null ? null : <span>{t('question.line', { line })}</span>}
        <TimeText at={updateTime} relative />
      </Group>
      {renderActions?.(item)}
    </li>
  )
}

/** Questions as links to the pages on which they are answered. */
export function QuestionRows({ items, ...props }: QuestionRowsProps) {
  return (
    <ul className="app-card app-list">
      {items.map((item) => (
        <Row key={item.questionId} item={item} {...props} />
      ))}
    </ul>
  )
}
