import { Alert, Stack, Text } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Hint, MistakeGroup } from '#contract/mistakes'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Said } from '../../components/feedback/said.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { Section } from '../../components/page/section.tsx'
import { mistakesQuery } from './api.ts'
import { GroupRow } from './group-row.tsx'
import { isHintOf, isIn } from './groups.ts'
import { HintItem } from './hint-item.tsx'

/** The group of a linked mistake is looked for in at most this many pages. */
const MOST_PAGES = 10

/** The groups of a problem, page by page; with a wanted mistake, as many pages as its group needs. */
function useGroups(problemId: number, wanted: string) {
  const list = useInfiniteQuery(mistakesQuery(problemId))
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const groups = data?.pages.flatMap((page) => page.groups) ?? []
  const isFound = groups.some((group) => isIn(group, wanted))
  const pageCount = data?.pages.length ?? 0
  const isSought =
    wanted !== '' && !isFound && hasNextPage && !isFetchNextPageError && pageCount < MOST_PAGES
  useEffect(() => {
    if (isSought && !isFetchingNextPage) void fetchNextPage()
  }, [isSought, isFetchingNextPage, fetchNextPage])
  const isMissing = wanted !== '' && data !== undefined && !isFound && !isSought
  return { list, groups, isMissing }
}

interface OtherHintsProps {
  problemId: number
  hints: Hint[]
}

/** The hints that no shown group has. */
function OtherHints({ problemId, hints }: OtherHintsProps) {
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  return (
    <>
      {hints.length > 0 ? (
        <Section title={t('mistakes.otherHints')} help={t('mistakes.otherHintsHelp')} isQuiet>
          <Stack gap="sm">
            {hints.map((hint) => (
              <HintItem key={hint.hintId} problemId={problemId} hint={hint} onSaid={setSaid} />
            ))}
          </Stack>
        </Section>
      ) : null}
      <Said text={said} />
    </>
  )
}

interface GroupListProps {
  problemId: number
  /** The mistake whose group is open at first and in sight; empty: none. */
  wanted?: string
}

/** The groups of people with the same mistake in a problem, largest first, and its other hints. */
export function GroupList({ problemId, wanted = '' }: GroupListProps) {
  const { t } = useTranslation()
  const { list, groups, isMissing } = useGroups(problemId, wanted)
  useMarkdownSoon()
  const newest = list.data?.pages.at(-1)
  const hints = newest?.hints ?? []
  const others = hints.filter((hint) => !groups.some((group) => isHintOf(hint, group)))

  function row(group: MistakeGroup) {
    const isWanted = wanted !== '' && isIn(group, wanted)
    return (
      <GroupRow
        // A link to the mistake opens the row anew.
        key={`${group.mistake} ${isWanted}`}
        problemId={problemId}
        group={group}
        groups={groups}
        isWhole={!list.hasNextPage}
        hints={hints.filter((hint) => isHintOf(hint, group))}
        isWanted={isWanted}
      />
    )
  }

  return (
    <Stack gap="md">
      {newest && newest.groupCount > 0 ? (
        <Text>
          {t('mistakes.summary', {
            people: t('mistakes.failing', { count: newest.people }),
            groups: t('mistakes.groups', { count: newest.groupCount }),
          })}{' '}
          <Text span size="sm" c="dimmed">
            {t('mistakes.help')}
          </Text>
        </Text>
      ) : null}
      {isMissing ? <Alert color="yellow">{t('mistakes.notHere')}</Alert> : null}
      <div>
        <PagedList
          list={list}
          count={groups.length}
          skeleton={{ rows: 6, height: 92 }}
          empty={<EmptyState Icon={IconMoodSmile} text={t('mistakes.none')} />}
        >
          <ul className="app-list">{groups.map(row)}</ul>
        </PagedList>
      </div>
      <OtherHints problemId={problemId} hints={others} />
    </Stack>
  )
}
