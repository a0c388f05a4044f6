import { Anchor, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { questionPath } from '../../lib/queries/questions.ts'
import { deadlineText } from '../homeworks/late-rule.ts'
import type { Decided } from './decision-buttons.tsx'
import { subjectOf } from './request-state.ts'

/** Says what staff have just decided. It takes the focus, because the pressed button is gone. */
export function DecidedNotice({ decided }: { decided: Decided | null }) {
  const notice = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    if (decided !== null) notice.current?.focus()
  }, [decided])
  return (
    <output ref={notice} tabIndex={-1} style={{ display: 'block' }}>
      {decided === null ? null : <DecidedText decided={decided} />}
    </output>
  )
}

function DecidedText({ decided: { question, due, kept } }: { decided: Decided }) {
  const { t } = useTranslation()
  const name = question.student.displayedName || question.student.username
  const homework = subjectOf(question)
  return (
    <Text size="sm" mb="sm">
      {due === null
        ? t('requests.declined', { name, homework })
        : t('requests.given', { name, homework, time: deadlineText(due) })}{' '}
      {kept === 0 ? null : t('dates.keptCount', { count: kept })}{' '}
      <Anchor component={Link} to={questionPath(question)} inherit underline="always">
        {t('requests.write', { name })}
      </Anchor>
    </Text>
  )
}
