import { Anchor, Button, Text } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ExplainedMark } from '#contract/gradebook'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { OpenedMessageForm } from '../../components/questions/opened-message-form.tsx'
import { StateBadge } from '../../components/questions/state-badge.tsx'
import { useReturnFocus } from '../../components/questions/use-return-focus.ts'
import { call } from '../../lib/api/call.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshMarks } from '../../lib/queries/marks.ts'
import { questionPath, questionQuery } from '../../lib/queries/questions.ts'

/** The question about a mark, with its state and what staff decided. */
export function QuestionAboutMark({ questionId }: { questionId: string }) {
  const { t } = useTranslation()
  const read = useQuery(questionQuery(questionId))
  const question = read.data
  if (question === undefined) return <ErrorBox of={read} />
  return (
    <Text size="sm">
      <Anchor component={Link} to={questionPath(question)} underline="always" inherit>
        {t('marks.question')}
      </Anchor>{' '}
      <StateBadge state={question.state} />{' '}
      {question.mark?.outcome ? t(`regrade.outcome.${question.mark.outcome}`) : null}
    </Text>
  )
}

/** The button and the form with which a student asks staff to look at a mark again. */
export function AskAboutMark({ mark: { column } }: { mark: Pick<ExplainedMark, 'column'> }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [isAsking, setIsAsking] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const button = useReturnFocus(isAsking)
  return (
    <div className="app-screen-only">
      <Text component="output" display="block" size="sm">
        {isSent && !isAsking ? t('marks.asked') : ''}
      </Text>
      {isAsking ? (
        <OpenedMessageForm
          label={t('marks.askLabel', { column: column.name })}
          sendLabel={t('question.send')}
          onSend={async (markdown, key) => {
            await call('POST /course/:name/gradebook/:columnId/questions', {
              params: { name: course, columnId: column.id },
              body: { markdown },
              key,
            })
            await refreshMarks()
          }}
          onSent={() => {
            setIsAsking(false)
            setIsSent(true)
          }}
          onCancel={() => setIsAsking(false)}
        />
      ) : (
        <Button
          ref={button}
          size="xs"
          variant="default"
          aria-label={t('marks.askNamed', { column: column.name })}
          leftSection={<IconMessageQuestion size={15} aria-hidden="true" />}
          onClick={() => setIsAsking(true)}
        >
          {t('marks.ask')}
        </Button>
      )}
    </div>
  )
}
