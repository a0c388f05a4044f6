import { Box, NativeSelect } from '@mantine/core'
import { IconLock, IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { questionState, type QuestionItem } from '#contract/questions'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { LabelFilter } from '../../components/labels/label-filter.tsx'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import { Page } from '../../components/page/page.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { DecidedNotice } from '../../components/questions/decided-notice.tsx'
import { DecisionButtons, type Decided } from '../../components/questions/decision-buttons.tsx'
import { QuestionRows } from '../../components/questions/question-rows.tsx'
import { requestStateText, subjectOf } from '../../components/questions/request-state.ts'
import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { courseProblemsQuery } from '../../lib/queries/problems.ts'
import { questionsQuery } from '../../lib/queries/questions.ts'
import classes from './list-page.module.css'
import { SavedReplies } from './saved-replies.tsx'

/** The filters in the address. If no state is chosen, staff see the open questions and students see all of theirs. */
function useFilter(isStaff: boolean) {
  const { query, setFilter } = useAddressFilter<'state' | 'problemId'>()
  const state = questionState.safeParse(query.get('state')).data ?? (isStaff ? 'open' : '')
  const problemId = /^\d{1,9}$/.exec(query.get('problemId') ?? '')?.[0] ?? ''
  const { choice: label } = useLabelChoice()
  return { filter: { state, problemId, label }, setFilter }
}

interface FilterBarProps extends ReturnType<typeof useFilter> {
  isStaff: boolean
}

function FilterBar({ isStaff, filter, setFilter }: FilterBarProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const problems = useQuery(courseProblemsQuery(course))
  const all = { value: '', label: t('submissions.all') }
  return (
    <form
      className={classes.filters}
      aria-label={t('submissions.filters')}
      onSubmit={(event) => event.preventDefault()}
    >
      <NativeSelect
        label={t('question.stateField')}
        value={filter.state}
        onChange={(event) => setFilter('state', event.currentTarget.value)}
        data={[
          ...(isStaff ? [] : [all]),
          ...questionState.options.map((value) => ({ value, label: t(`question.state.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('submission.problem')}
        value={filter.problemId}
        onChange={(event) => setFilter('problemId', event.currentTarget.value)}
        data={[
          all,
          ...(problems.data ?? []).map(({ problemId, problemName }) => ({
            value: String(problemId),
            label: `#${problemId} ${problemName}`,
          })),
        ]}
      />
      <LabelFilter />
    </form>
  )
}

/** What a question is about, and what staff decided on a request or a mark. */
function Subject({ item }: { item: QuestionItem }) {
  const { t } = useTranslation()
  const { request, mark } = item
  const subject = subjectOf(item)
  return (
    <>
      <span>{mark === null ? subject : t('regrade.about', { column: subject })}</span>
      {request === null ? null : <strong>{requestStateText(request, t)}</strong>}
      {mark === null ? null : <strong>{t(`regrade.outcome.${mark.outcome ?? 'waiting'}`)}</strong>}
      {request?.teacherOnly ? (
        <span>
          <IconLock size={13} aria-hidden="true" /> {t('requests.teacherOnly')}
        </span>
      ) : null}
    </>
  )
}

/** The buttons of a request that waits for a decision. */
function Decision({ item, onDecided }: { item: QuestionItem; onDecided: (made: Decided) => void }) {
  const { request } = item
  if (request === null || request.outcome !== null) return null
  return (
    <Box mt={8}>
      <DecisionButtons question={item} {...{ request, onDecided }} />
    </Box>
  )
}

/** `/course/{name}/questions`: for staff the inbox of the course, for students their own questions. */
export function QuestionsPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs()
  const isStaff = may('question.answer')
  const address = useFilter(isStaff)
  const [decided, setDecided] = useState<Decided | null>(null)
  const list = useInfiniteQuery(questionsQuery(course, address.filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title={t('nav.questions')} crumbs={crumbs} actions={isStaff ? <SavedReplies /> : null}>
      <FilterBar isStaff={isStaff} {...address} />
      <DecidedNotice decided={decided} />
      <PagedList
        list={list}
        count={items.length}
        skeleton={{ rows: 6, height: 64 }}
        empty={
          <EmptyState
            Icon={IconMessages}
            text={t(isStaff ? 'question.noneFound' : 'question.noneOwn')}
          />
        }
      >
        <QuestionRows
          items={items}
          isStaff={isStaff}
          renderSubject={(item) => <Subject item={item} />}
          renderActions={(item) =>
            isStaff ? <Decision item={item} onDecided={setDecided} /> : null
          }
        />
      </PagedList>
    </Page>
  )
}
