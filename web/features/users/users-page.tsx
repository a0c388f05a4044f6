import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { TEXT_LIMITS } from '#contract/limits'
import { ROLES } from '#contract/roles'
import type { UserItem } from '#contract/users'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ListError } from '../../components/list-error.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Page } from '../../components/page.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { paths } from '../../paths.ts'
import { usersQuery } from './api.ts'
import { UserForm } from './user-form.tsx'
import { UserTable } from './user-table.tsx'
import classes from './users-page.module.css'

const FILTERED_ROLES = [ROLES.admin, ROLES.teacher, ROLES.student] as const

/** Search and role stand in the address, so that a list can be sent to somebody. */
function useFilter() {
  const [query, setQuery] = useSearchParams()
  function set(key: 'search' | 'role', value: string) {
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        if (value === '') next.delete(key)
        else next.set(key, value)
        return next
      },
      { replace: true },
    )
  }
  const role = FILTERED_ROLES.find((role) => String(role) === query.get('role'))
  const search = (query.get('search') ?? '').slice(0, TEXT_LIMITS.search)
  return { filter: { search, role: role === undefined ? '' : String(role) }, set }
}

/** `/admin/user`: everyone, with the ways to add, change and erase them. */
export function UsersPage() {
  const { t } = useTranslation()
  const { filter, set } = useFilter()
  const list = useInfiniteQuery(usersQuery(filter))
  const [edited, setEdited] = useState<UserItem | 'new' | null>(null)
  const [notice, setNotice] = useState('')
  const setSearch = useDebouncedCallback((text: string) => set('search', text.trim()), 300)
  const users = list.data?.pages.flatMap((page) => page.items) ?? []

  function noteSaved(user: UserItem) {
    const isNew = edited === 'new'
    setEdited(null)
    const { username, email } = user
    if (!isNew) setNotice(t('users.saved', { username }))
    else if (user.active) setNotice(t('users.createdNotice', { username }))
    else setNotice(t('users.mailedNotice', { username, email }))
  }

  return (
    <Page
      title={t('admin.user')}
      crumbs={[{ label: t('nav.admin'), to: paths.admin() }]}
      actions={
        <Button
          leftSection={<IconUserPlus size={16} aria-hidden="true" />}
          onClick={() => setEdited('new')}
        >
          {t('users.new')}
        </Button>
      }
    >
      <form
        className={classes.filters}
        aria-label={t('submissions.filters')}
        onSubmit={(event) => event.preventDefault()}
      >
        <TextInput
          label={t('users.search')}
          placeholder={t('users.searchHelp')}
          className={classes.search}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          defaultValue={filter.search}
          maxLength={TEXT_LIMITS.search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('profile.role')}
          value={filter.role}
          onChange={(event) => set('role', event.currentTarget.value)}
          data={[
            { value: '', label: t('submissions.all') },
            ...FILTERED_ROLES.map((role) => ({ value: String(role), label: t(`role.${role}`) })),
          ]}
        />
      </form>
      <output className={classes.notice}>{notice}</output>
      {list.isPending ? <RowsSkeleton rows={8} height={58} /> : null}
      <ListError list={list} />
      {list.data && users.length === 0 ? (
        <EmptyState Icon={IconUsers} text={t('users.noneFound')} />
      ) : null}
      <LoadMore list={list} count={users.length}>
        {users.length > 0 ? (
          <UserTable
            users={users}
            onEdit={setEdited}
            onErased={({ username }) => setNotice(t('users.erased', { username }))}
          />
        ) : null}
      </LoadMore>
      <Dialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        title={
          edited === null || edited === 'new'
            ? t('users.new')
            : t('users.editOf', { username: edited.username })
        }
        keepsInput
      >
        {edited === null ? null : (
          <UserForm
            user={edited === 'new' ? null : edited}
            onSaved={noteSaved}
            onCancel={() => setEdited(null)}
          />
        )}
      </Dialog>
    </Page>
  )
}
