const config = { plugins: { '@tailwindcss/postcss': {} } };

// biome-ignore lint/style/noDefaultExport: Next reads the default export of this file.
export default config;
