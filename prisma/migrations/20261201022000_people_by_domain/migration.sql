-- Staff find everybody of one house by what stands behind the @.
create index users_email_domain on users (split_part(email, '@', 2), email);
