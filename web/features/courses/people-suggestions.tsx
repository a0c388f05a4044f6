import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { peopleQuery } from './api.ts'
import classes from './members-page.module.css'

interface PeopleSuggestionsProps {
  course: string
  /** The part of a name that is being typed. */
  typed: string
  onChoose: (username: string) => void
}

/** Suggests the people whose names contain the typed text. */
export function PeopleSuggestions({ course, typed, onChoose }: PeopleSuggestionsProps) {
  const { t } = useTranslation()
  const [search] = useDebouncedValue(typed.slice(0, TEXT_LIMITS.search), 300)
  const isLong = search.length > 1
  const found = useQuery({
    ...peopleQuery(course, search),
    enabled: isLong,
    placeholderData: keepPreviousData,
  })
  // A username that is typed in full needs no suggestion.
  const people = (found.data ?? []).filter(({ username }) => username !== typed)
  return (
    <ul
      className={`app-list ${classes.suggestions}`}
      aria-label={t('members.suggestions')}
      aria-live="polite"
    >
      {isLong && typed !== ''
        ? people.map(({ username, displayedName }) => (
            <li key={username}>
              <Button size="compact-sm" variant="default" onClick={() => onChoose(username)}>
                {displayedName} ({username})
              </Button>
            </li>
          ))
        : null}
    </ul>
  )
}
