import { build } from 'esbuild';

/** An esbuild plugin: the default export of a .css file is its minified text, with its images inlined. */
export const styleText = {
  name: 'styleText',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const images = { '.svg': 'dataurl' };
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        minify: true,
        loader: images,
        write: false,
      });
      return { contents: outputFiles[0].text.trim(), loader: 'text' };
    });
  },
};
