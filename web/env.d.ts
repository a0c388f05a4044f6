/// <reference types="vite/client" />

/** Version of the product at build time, from package.json. */
declare const __APP_VERSION__: string

/** The people that AUTHORS named at build time. */
declare const __AUTHORS__: Record<
  'maintainers' | 'contributors',
  { name: string; link: string | null }[]
>

interface ImportMetaEnv {
  /** Base address of the API; `/api` unless set. */
  readonly VITE_API_BASE?: string
}
