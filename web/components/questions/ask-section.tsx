import { Box, Button, Text } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api/call.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { questionsQuery } from '../../lib/queries/questions.ts'
import { ErrorBox } from '../feedback/error-box.tsx'
import { LoadMore } from '../lists/load-more.tsx'
import { Section } from '../page/section.tsx'
import { OpenedMessageForm } from './opened-message-form.tsx'
import { QuestionRows } from './question-rows.tsx'
import { useReturnFocus } from './use-return-focus.ts'

/** At the foot of a problem: the user's questions about it, or for staff its open questions, and a form to ask. */
export function AskSection({ problemId }: { problemId: number }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const isStaff = may('question.answer')
  const list = useInfiniteQuery(questionsQuery(course, { problemId: String(problemId) }))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const [isAsking, setIsAsking] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const button = useReturnFocus(isAsking)
  return (
    <Box mt={16}>
      <Section
        title={t('question.title')}
        help={t(isStaff ? 'question.staffHelp' : 'question.help')}
      >
        <ErrorBox of={list} />
        <LoadMore list={list} count={items.length}>
          {items.length > 0 ? <QuestionRows items={items} isStaff={isStaff} /> : null}
        </LoadMore>
        <Text component="output" display="block" mt={8} fz="sm">
          {isSent && !isAsking ? t('question.sent') : ''}
        </Text>
        {isAsking ? (
          <OpenedMessageForm
            label={t('question.aboutProblem')}
            sendLabel={t('question.send')}
            onSend={(markdown, key) =>
              call('POST /problem/:id/questions', {
                params: { id: problemId },
                body: { markdown },
                key,
              })
            }
            onSent={() => {
              setIsAsking(false)
              setIsSent(true)
            }}
            onCancel={() => setIsAsking(false)}
          />
        ) : isStaff || !may('question.ask') ? null : (
          <Button
            ref={button}
            mt="sm"
            variant="default"
            leftSection={<IconMessageQuestion size={16} aria-hidden="true" />}
            onClick={() => setIsAsking(true)}
          >
            {t('question.ask')}
          </Button>
        )}
      </Section>
    </Box>
  )
}
