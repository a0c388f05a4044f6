import { Anchor, Box, Text } from '@mantine/core'
import { IconLock, IconPaperclip } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { REQUEST_LIMITS } from '#contract/limits'
import type { DateRequest, QuestionThread } from '#contract/questions'
import { Facts } from '../../components/display/facts.tsx'
import { FilePickButton } from '../../components/forms/file-pick-button.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { DecidedNotice } from '../../components/questions/decided-notice.tsx'
import { DecisionButtons, type Decided } from '../../components/questions/decision-buttons.tsx'
import {
  addRequestFile,
  isRequestFile,
  REQUEST_FILES,
} from '../../components/questions/request-file.ts'
import { requestStateText } from '../../components/questions/request-state.ts'
import { apiUrl } from '../../lib/api/api.ts'
import { addressOfCall } from '../../lib/api/call.ts'
import { formatBytes } from '../../lib/format/format.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshQuestions } from '../../lib/queries/questions.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'

/** Adds the file with the reason, or replaces it; for the student. */
function FileButton({ questionId, hasFile }: { questionId: string; hasFile: boolean }) {
  const { t } = useTranslation()
  const limit = formatBytes(REQUEST_LIMITS.fileBytes)
  const adding = useMutation({
    mutationFn: async (file: File) => {
      if (!(await isRequestFile(file))) return false
      await addRequestFile(questionId, file)
      await refreshQuestions()
      return true
    },
  })
  return (
    <div className="app-screen-only">
      <FilePickButton
        accept={REQUEST_FILES}
        icon={<IconPaperclip size={16} aria-hidden="true" />}
        onPick={(file) => adding.mutate(file)}
      >
        {t(hasFile ? 'requests.otherFile' : 'requests.file')}
      </FilePickButton>
      <Text component="output" display="block" size="sm">
        {adding.isPending ? t('common.loading') : adding.data ? t('requests.fileSent') : ''}
      </Text>
      <FormError error={adding.error}>
        {adding.data === false ? t('requests.badFile', { limit }) : null}
      </FormError>
    </div>
  )
}

/** Homework, state and file of a request. */
function RequestFacts({ questionId, request }: { questionId: string; request: DateRequest }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const { homeworkId, homeworkName, file } = request
  const href = apiUrl(addressOfCall('GET /question/:id/file', { params: { id: questionId } }))
  const facts = [
    {
      label: t('requests.forHomework'),
      value: (
        <Anchor component={Link} to={`${paths.homeworks(course)}#homework-${homeworkId}`}>
          {homeworkName}
        </Anchor>
      ),
    },
    { label: t('requests.stateField'), value: requestStateText(request, t) },
  ]
  const shown = file && {
    label: t('requests.fileField'),
    value: (
      <Anchor href={href} target="_blank" rel="noopener">
        {t('requests.fileName', { name: file.name, size: formatBytes(file.size) })}
      </Anchor>
    ),
  }
  return <Facts facts={shown ? [...facts, shown] : facts} />
}

interface RequestCardProps {
  thread: QuestionThread
  request: DateRequest
}

/** What a request asks for and what became of it; staff decide here. */
export function RequestCard({ thread, request }: RequestCardProps) {
  const { t } = useTranslation()
  const { may, closedAt } = useCourse()
  const { user } = useSession()
  const [decided, setDecided] = useState<Decided | null>(null)
  const { questionId, student } = thread
  const isOwn = student.username === user?.username
  return (
    <Box mb="md">
      <RequestFacts {...{ questionId, request }} />
      {request.teacherOnly ? (
        <Text size="sm" mb="sm">
          <IconLock size={14} aria-hidden="true" /> {t('requests.teacherOnly')}
        </Text>
      ) : null}
      <DecidedNotice decided={decided} />
      {may('question.answer') ? (
        <DecisionButtons question={thread} request={request} onDecided={setDecided} />
      ) : null}
      {isOwn && request.outcome === null && closedAt === null ? (
        <FileButton questionId={questionId} hasFile={request.file !== null} />
      ) : null}
    </Box>
  )
}
