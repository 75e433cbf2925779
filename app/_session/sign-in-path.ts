/** Where somebody signs in who comes back to `returnTo` afterwards, a path of this site (`safeReturnPath` looks at it again). */
export function signInPath(returnTo: string): string {
  return `/sign-in?next=${encodeURIComponent(returnTo)}`;
}
