/// <reference types="vite/client" />

/** Version of the product at build time, from package.json. */
declare const __APP_VERSION__: string

interface ImportMetaEnv {
  /** Base address of the API; `/api` unless set. */
  readonly VITE_API_BASE?: string
}
