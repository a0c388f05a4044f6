import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { overridesChanged } from '#contract/homework-overrides'
import type { DateRequest, Question } from '#contract/questions'
import { call } from '../../lib/api/call.ts'
import { formatDeadline } from '../../lib/format/format.ts'
import { parseDeadline } from '../../lib/format/parse-time.ts'
import { refreshQuestions } from '../../lib/queries/questions.ts'
import { refreshHomework } from '../../lib/queries/refresh-homework.ts'
import { FormButtons } from '../forms/form-buttons.tsx'
import { FormError } from '../forms/form-error.tsx'
import { TimeField } from '../forms/time-field.tsx'
import { useTimeInCourse } from '../forms/time-in-course.ts'
import { deadlineText } from '../homeworks/late-rule.ts'
import { DialogButton } from '../overlays/dialog-button.tsx'

/** What staff decided. `due` null: they declined. `kept`: marks that are kept until staff confirm the lower ones. */
export interface Decided {
  question: Question
  due: number | null
  kept: number
}

async function storeDecision(question: Question, due: number | null): Promise<Decided> {
  const { kept } = await call('POST /question/:id/decision', {
    params: { id: question.questionId },
    body: { due },
    as: overridesChanged,
  })
  return { question, due, kept }
}

interface OtherDateProps {
  due: number
  decide: (due: number) => Promise<unknown>
  onClose: () => void
}

/** The form that gives another due time than the student asked for. */
function OtherDate({ due, decide, onClose }: OtherDateProps) {
  const { t } = useTranslation()
  const inCourse = useTimeInCourse()
  const [text, setText] = useState(() => formatDeadline(due))
  const [isWrong, setIsWrong] = useState(false)
  const giving = useMutation({ mutationFn: decide, onSuccess: onClose })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const at = parseDeadline(text)
        setIsWrong(Number.isNaN(at))
        if (!Number.isNaN(at)) giving.mutate(at)
      }}
    >
      <Stack>
        <TimeField
          label={t('dates.due')}
          isDeadline
          value={text}
          onChange={setText}
          description={inCourse(text)}
          error={isWrong ? t('time.wrongForm') : null}
        />
        <FormError error={giving.error} />
        <FormButtons
          label={t('requests.giveDate')}
          isSending={giving.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

interface DecisionButtonsProps {
  question: Question
  request: DateRequest
  /** Called once the decision is stored, before the page shows it. */
  onDecided: (decided: Decided) => void
}

/** The buttons with which staff answer a request: give the date, another one, or none. */
export function DecisionButtons({ question, request, onDecided }: DecisionButtonsProps) {
  const { t } = useTranslation()
  const { due, outcome, grantedDue, homeworkId, homeworkName } = request
  const name = question.student.displayedName || question.student.username
  const ofWhat = (what: string) => t('requests.decideFor', { what, name, homework: homeworkName })

  const decide = async (given: number | null) => {
    onDecided(await storeDecision(question, given))
    await Promise.all([refreshQuestions(), refreshHomework(homeworkId)])
  }
  const deciding = useMutation({ mutationFn: decide })
  const give = t('requests.give', { time: deadlineText(due) })
  const decline = t('requests.decline')
  const other = t('requests.otherDate')
  return (
    <div className="app-screen-only">
      <Group gap="xs">
        {outcome === null ? (
          <Button
            size="xs"
            aria-label={ofWhat(give)}
            loading={deciding.isPending && deciding.variables !== null}
            onClick={() => deciding.mutate(due)}
          >
            {give}
          </Button>
        ) : null}
        <DialogButton
          label={other}
          ofWhat={ofWhat(other)}
          buttonSize="xs"
          title={t('dates.moreTimeFor', { name })}
        >
          {(close) => <OtherDate due={grantedDue ?? due} decide={decide} onClose={close} />}
        </DialogButton>
        {outcome === 'declined' ? null : (
          <Button
            size="xs"
            variant="default"
            aria-label={ofWhat(decline)}
            loading={deciding.isPending && deciding.variables === null}
            onClick={() => deciding.mutate(null)}
          >
            {decline}
          </Button>
        )}
      </Group>
      {outcome === 'granted' ? (
        <Text size="xs" c="dimmed" mt={4}>
          {t('requests.staysGiven')}
        </Text>
      ) : null}
      <FormError error={deciding.error} />
    </div>
  )
}
