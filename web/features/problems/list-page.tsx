import { Anchor, Button, Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconEyeOff, IconPlus, IconPuzzle, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { TEXT_LIMITS } from '#contract/limits'
import { PROBLEM_STATUS, type ProblemItem } from '#contract/problems'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { Page } from '../../components/page/page.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { ProblemMark } from '../../components/problem/problem-mark.tsx'
import { QuotaText } from '../../components/problem/quota-text.tsx'
import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { markOfProblem } from '../../lib/format/marks.ts'
import { problemListQuery } from '../../lib/queries/problems.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'

function NameCell({ item, course }: { item: ProblemItem; course: string }) {
  const { t } = useTranslation()
  return (
    <>
      <Anchor component={Link} to={paths.problem(course, item.problemId)} className={classes.name}>
        <span className={classes.id}>#{item.problemId}</span> {item.problemName}
      </Anchor>
      {item.status === PROBLEM_STATUS.HIDDEN ? (
        <Group component="span" display="inline-flex" gap={4} ml={10} fz="0.8125rem" c="dimmed">
          <IconEyeOff size={14} aria-hidden="true" /> {t('problem.hidden')}
        </Group>
      ) : null}
    </>
  )
}

function TagLinks({ tags }: { tags: string[] }) {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Link key={tag} to={`?${new URLSearchParams({ tags: tag })}`} className={classes.tag}>
          {tag}
        </Link>
      ))}
    </Group>
  )
}

function ProblemTable({ items, course }: { items: ProblemItem[]; course: string }) {
  const { t } = useTranslation()
  const columns: Column<ProblemItem>[] = [
    {
      head: t('problems.name'),
      isWide: true,
      renderCell: (item) => <NameCell item={item} course={course} />,
    },
    { head: t('mark.title'), renderCell: (item) => <ProblemMark mark={markOfProblem(item)} /> },
    { head: t('problems.tags'), renderCell: ({ tags }) => <TagLinks tags={tags} /> },
    {
      head: t('problem.quotaLeft'),
      isNumeric: true,
      isLabelled: true,
      renderCell: ({ ownQuota, quotaUsed }) => <QuotaText quota={ownQuota} used={quotaUsed} />,
    },
    {
      head: t('problem.bestScore'),
      isNumeric: true,
      isLabelled: true,
      renderCell: ({ highScore }) => highScore ?? '–',
    },
  ]
  return (
    <ListTable
      className="app-cards"
      columns={columns}
      rows={items}
      keyOf={({ problemId }) => problemId}
    />
  )
}

function useFilter() {
  const { query, setQuery, setFilter } = useAddressFilter<'name' | 'tags'>()
  const filter = { name: query.get('name') ?? '', tags: query.get('tags') ?? '' }
  return { filter, setQuery, setFilter }
}

function FilterBar() {
  const { t } = useTranslation()
  const { filter, setFilter, setQuery } = useFilter()
  const search = useDebouncedCallback((name: string) => setFilter('name', name), 250)
  return (
    <Group gap={10} mb={12}>
      <TextInput
        w={280}
        aria-label={t('problems.search')}
        placeholder={t('problems.search')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        defaultValue={filter.name}
        maxLength={TEXT_LIMITS.search}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {filter.tags === '' ? null : (
        <Button variant="default" size="xs" onClick={() => setQuery({})}>
          {t('problems.clearTag', { tag: filter.tags })}
        </Button>
      )}
    </Group>
  )
}

/** `/course/{name}/problems`; the filters are in the address. */
export function ProblemsPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs()
  const { filter } = useFilter()
  const list = useInfiniteQuery(problemListQuery(course, filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = filter.name !== '' || filter.tags !== ''
  return (
    <Page
      title={t('nav.problems')}
      crumbs={crumbs}
      actions={
        may('problem.write') ? (
          <LinkButton
            to={paths.newProblem(course)}
            Icon={IconPlus}
            label={t('problems.new')}
            variant="filled"
          />
        ) : null
      }
    >
      <FilterBar />
      <PagedList
        list={list}
        count={items.length}
        skeleton={{ rows: 6 }}
        empty={
          <EmptyState
            Icon={IconPuzzle}
            text={isFiltered ? t('problems.noneFound') : t('problems.none')}
          />
        }
      >
        <ProblemTable items={items} course={course} />
      </PagedList>
    </Page>
  )
}
