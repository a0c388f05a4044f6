import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { profileChange, type Profile } from '#contract/people/users'
import { addressOfCall, call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { KeptNotice } from '../../components/forms/kept-notice.tsx'
import { SaveError } from '../../components/forms/save-error.tsx'
import { etagOf } from '../../lib/api/api.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { useKeptForm } from '../../lib/drafts/kept-form.ts'
import { queryClient, refresh } from '../../lib/api/query-client.ts'
import { sessionQuery } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { profileQuery } from './api.ts'

type ProfileValues = {
  displayedName: string
  bio: string
}

/** The form, and the call that saves it. */
function useProfileSave(profile: Profile) {
  const path = addressOfCall('GET /profile/:username', {
    params: { username: profile.username },
  })
  const [etag, setEtag] = useState(() => etagOf(path))
  const form = useForm<ProfileValues>({
    initialValues: { displayedName: profile.displayedName, bio: profile.bio },
    validate: useSchemaValidation<ProfileValues>(profileChange, (values) => values),
    onValuesChange: () => save.isSuccess && save.reset(),
  })
  const save = useMutation({
    mutationFn: ({ values, overwrite }: { values: ProfileValues; overwrite: boolean }) =>
      call('POST /profile', { body: values, ifMatch: overwrite ? null : etag }),
    onSuccess: async (_, { values }) => {
      form.resetDirty(values)
      void refresh(sessionQuery.queryKey)
      const stored = await queryClient.fetchQuery({
        ...profileQuery(profile.username),
        staleTime: 0,
      })
      // The next save is based on this version, unless another person has saved meanwhile.
      if (stored.displayedName === values.displayedName.trim() && stored.bio === values.bio)
        setEtag(etagOf(path))
    },
  })
  return { form, save }
}

/** The editable part of the profile. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const { form, save } = useProfileSave(profile)
  const dirty = form.isDirty()
  const kept = useKeptForm(
    form,
    useCallback(() => dirty, [dirty]),
  )
  return (
    <CheckedForm form={form} onSend={(values) => save.mutate({ values, overwrite: false })}>
      <KeptNotice kept={kept} />
      <TextInput
        label={t('profile.displayName')}
        withAsterisk
        autoComplete="name"
        maxLength={TEXT_LIMITS.displayedName}
        {...form.getInputProps('displayedName')}
      />
      <Textarea
        label={t('profile.bio')}
        description={t('profile.bioHelp')}
        autosize
        minRows={2}
        maxLength={TEXT_LIMITS.bio}
        {...form.getInputProps('bio')}
      />
      {save.isError ? (
        <SaveError
          error={save.error}
          storedAt={paths.profile()}
          onOverwrite={() => save.mutate({ values: form.values, overwrite: true })}
        />
      ) : null}
      <Group justify="flex-end">
        <output>
          {save.isSuccess ? (
            <Text size="sm" c="dimmed">
              {t('common.saved')}
            </Text>
          ) : null}
        </output>
        <Button type="submit" loading={save.isPending} disabled={!dirty}>
          {t('common.save')}
        </Button>
      </Group>
    </CheckedForm>
  )
}
