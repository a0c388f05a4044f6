import { Anchor, Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconEyeOff, IconPlus, IconPuzzle, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { TEXT_LIMITS } from '#contract/limits'
import { PROBLEM_STATUS } from '#contract/problems'
import { EmptyState } from '../../components/empty-state.tsx'
import { ListError } from '../../components/list-error.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Page } from '../../components/page.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { problemListQuery } from '../../lib/problems.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'
import { QuotaText } from '../../components/quota-text.tsx'

/** `/course/{name}/problems`; the filters stand in the address. */
export function ProblemsPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs()
  const [query, setQuery] = useSearchParams()
  const filter = { name: query.get('name') ?? '', tags: query.get('tags') ?? '' }
  const list = useInfiniteQuery(problemListQuery(course, filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = filter.name !== '' || filter.tags !== ''
  const search = useDebouncedCallback((name: string) => {
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        if (name === '') next.delete('name')
        else next.set('name', name)
        return next
      },
      { replace: true },
    )
  }, 250)
  const newButton = may('problem.write') ? (
    <Button
      component={Link}
      to={paths.newProblem(course)}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      {t('problems.new')}
    </Button>
  ) : null

  return (
    <Page title={t('nav.problems')} crumbs={crumbs} actions={newButton}>
      <div className={classes.bar}>
        <TextInput
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
      </div>
      {list.isPending ? <RowsSkeleton rows={6} /> : null}
      <ListError list={list} />
      {list.isSuccess && items.length === 0 ? (
        <EmptyState
          Icon={IconPuzzle}
          text={isFiltered ? t('problems.noneFound') : t('problems.none')}
        />
      ) : null}
      <LoadMore list={list} count={items.length}>
        {items.length > 0 ? (
          <TableBox className="app-cards">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('problems.name')}</th>
                  <th scope="col">{t('problems.tags')}</th>
                  <th scope="col" className="numeric">
                    {t('problem.quotaLeft')}
                  </th>
                  <th scope="col" className="numeric">
                    {t('problem.bestScore')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.problemId}>
                    <td data-wide>
                      <Anchor
                        component={Link}
                        to={paths.problem(course, item.problemId)}
                        className={classes.name}
                      >
                        <span className={classes.id}>#{item.problemId}</span> {item.problemName}
                      </Anchor>
                      {item.status === PROBLEM_STATUS.HIDDEN ? (
                        <span className={classes.hidden}>
                          <IconEyeOff size={14} aria-hidden="true" /> {t('problem.hidden')}
                        </span>
                      ) : null}
                    </td>
                    <td>
                      <div className={classes.tags}>
                        {item.tags.map((tag) => (
                          <Link
                            key={tag}
                            to={`?${new URLSearchParams({ tags: tag })}`}
                            className={classes.tag}
                          >
                            {tag}
                          </Link>
                        ))}
                      </div>
                    </td>
                    <td className="numeric" data-label={t('problem.quotaLeft')}>
                      <QuotaText quota={item.quota} used={item.quotaUsed} />
                    </td>
                    <td className="numeric" data-label={t('problem.bestScore')}>
                      {item.highScore ?? '–'}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableBox>
        ) : null}
      </LoadMore>
    </Page>
  )
}
