import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '#contract/languages'
import { TEXT_LIMITS } from '#contract/limits'
import { submissionStatus } from '#contract/verdicts'
import { LabelFilter } from '../../components/labels/label-filter.tsx'
import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { courseProblemsQuery } from '../../lib/queries/problems.ts'
import { readFilter, type FilterKey } from './filter.ts'
import classes from './submission-table.module.css'

const STATUSES = [...submissionStatus.values]

interface UserFieldProps {
  username: string
  onChange: (username: string) => void
}

/** A username; the browser suggests members by either name. */
function UserField({ username, onChange }: UserFieldProps) {
  const { t } = useTranslation()
  const { teacher, TAs, students } = useCourse()
  const listId = useId()
  return (
    <>
      <TextInput
        label={t('profile.username')}
        defaultValue={username}
        maxLength={TEXT_LIMITS.username}
        list={listId}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {[teacher, ...TAs, ...students].map((person) => (
          <option key={person.username} value={person.username}>
            {person.displayedName}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** Filters by problem, verdict and language; for staff also by user and label. */
export function FilterBar() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const { query, setFilter: set } = useAddressFilter<FilterKey>()
  const filter = readFilter(query)
  const problems = useQuery(courseProblemsQuery(course))

  const setUser = useDebouncedCallback((value: string) => set('username', value), 300)
  const all = { value: '', label: t('submissions.all') }
  return (
    <form
      className={classes.filters}
      aria-label={t('submissions.filters')}
      onSubmit={(event) => event.preventDefault()}
    >
      <NativeSelect
        label={t('submission.problem')}
        value={filter.problemId}
        onChange={(event) => set('problemId', event.currentTarget.value)}
        data={[
          all,
          ...(problems.data ?? []).map((problem) => ({
            value: String(problem.problemId),
            label: `#${problem.problemId} ${problem.problemName}`,
          })),
        ]}
      />
      <NativeSelect
        label={t('submission.verdict')}
        value={filter.status}
        onChange={(event) => set('status', event.currentTarget.value)}
        data={[
          all,
          ...STATUSES.map((code) => ({ value: `${code}`, label: t(`verdict.name.${code}`) })),
        ]}
      />
      <NativeSelect
        label={t('submission.language')}
        value={filter.languageType}
        onChange={(event) => set('languageType', event.currentTarget.value)}
        data={[all, ...LANGUAGES.map(({ code, label }) => ({ value: String(code), label }))]}
      />
      {may('submission.readAll') ? (
        <UserField username={filter.username} onChange={setUser} />
      ) : null}
      <LabelFilter />
    </form>
  )
}
