import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { ROLES } from '#contract/roles'
import type { SavedUser, UserItem } from '#contract/people/users'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Page } from '../../components/page/page.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { SecretCreated } from '../../components/display/secret-text.tsx'
import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { paths } from '../../paths.ts'
import { usersQuery } from './api.ts'
import { UserForm } from './user-form.tsx'
import { UserTable } from './user-table.tsx'
import classes from './users-page.module.css'

const FILTERED_ROLES = [ROLES.admin, ROLES.teacher, ROLES.student] as const

function useFilter() {
  const { query, setFilter } = useAddressFilter<'search' | 'role'>()
  const role = FILTERED_ROLES.find((role) => String(role) === query.get('role'))
  const search = (query.get('search') ?? '').slice(0, TEXT_LIMITS.search)
  return { filter: { search, role: role === undefined ? '' : String(role) }, setFilter }
}

function FilterBar() {
  const { t } = useTranslation()
  const { filter, setFilter } = useFilter()
  const setSearch = useDebouncedCallback((text: string) => setFilter('search', text), 300)
  return (
    <Group
      component="form"
      align="flex-end"
      gap={12}
      mb={14}
      aria-label={t('submissions.filters')}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        label={t('users.search')}
        placeholder={t('users.searchHelp')}
        flex="0 1 340px"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        defaultValue={filter.search}
        maxLength={TEXT_LIMITS.search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('profile.role')}
        value={filter.role}
        onChange={(event) => setFilter('role', event.currentTarget.value)}
        data={[
          { value: '', label: t('submissions.all') },
          ...FILTERED_ROLES.map((role) => ({ value: String(role), label: t(`role.${role}`) })),
        ]}
      />
    </Group>
  )
}

interface UserDialogProps {
  /** The account in the open dialog; null: no dialog. */
  edited: UserItem | 'new' | null
  onSaved: (user: SavedUser) => void
  onClose: () => void
}

function UserDialog({ edited, onSaved, onClose }: UserDialogProps) {
  const { t } = useTranslation()
  const user = edited === 'new' ? null : edited
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={user === null ? t('users.new') : t('users.editOf', { username: user.username })}
      keepsInput
    >
      {edited === null ? null : <UserForm user={user} onSaved={onSaved} onCancel={onClose} />}
    </Dialog>
  )
}

/** Shows an account's activation link if no mail can be sent. @param user null: no dialog */
function LinkDialog({ user, onClose }: { user: SavedUser | null; onClose: () => void }) {
  const { t } = useTranslation()
  const title = t('users.handTitle', { username: user?.username })
  return (
    <Dialog opened={user !== null} onClose={onClose} title={title} size="lg">
      {user?.activationLink === undefined ? null : (
        <SecretCreated
          label={title}
          secret={new URL(user.activationLink, window.location.href).href}
          onClose={onClose}
        >
          <Text size="sm">{t('users.handText', { email: user.email })}</Text>
        </SecretCreated>
      )}
    </Dialog>
  )
}

/** `/admin/user`: all accounts, with buttons to add, change, sign out and erase them. */
export function UsersPage() {
  const { t } = useTranslation()
  const list = useInfiniteQuery(usersQuery(useFilter().filter))
  const [edited, setEdited] = useState<UserItem | 'new' | null>(null)
  const [handedOver, setHandedOver] = useState<SavedUser | null>(null)
  const [notice, setNotice] = useState('')
  const users = list.data?.pages.flatMap((page) => page.items) ?? []

  function noteSaved(user: SavedUser) {
    const isNew = edited === 'new'
    const { username, email, activationLink } = user
    setEdited(null)
    setHandedOver(activationLink === undefined ? null : user)
    if (!isNew || activationLink !== undefined) setNotice(t('users.saved', { username }))
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
      <FilterBar />
      <output className={classes.notice}>{notice}</output>
      <PagedList
        list={list}
        count={users.length}
        skeleton={{ rows: 8, height: 58 }}
        empty={<EmptyState Icon={IconUsers} text={t('users.noneFound')} />}
      >
        <UserTable
          users={users}
          onEdit={setEdited}
          onSignedOut={({ username }) => setNotice(t('users.signedOut', { username }))}
          onErased={({ username }) => setNotice(t('users.erased', { username }))}
        />
      </PagedList>
      <LinkDialog user={handedOver} onClose={() => setHandedOver(null)} />
      <UserDialog edited={edited} onSaved={noteSaved} onClose={() => setEdited(null)} />
    </Page>
  )
}
