/** The colour scheme: stored under one key, and as the class `dark` on the page root. */
import { localStorageColorSchemeManager, useComputedColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { STORAGE_KEYS } from '../lib/storage.ts'

/** Mantine's storage of the choice: light, dark or auto. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: STORAGE_KEYS.colorScheme })

/** Synchronizes the root's class with the scheme. */
export function ColorSchemeClass() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    document.documentElement.classList.toggle('dark', scheme === 'dark')
  }, [scheme])
  return null
}
