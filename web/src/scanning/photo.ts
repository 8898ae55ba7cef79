/** The longer side of a photo as it is sent: enough to read a label on it, and a tenth of what phones take. */
const LONGEST = 2048;

/** A photo made small for a slow network; as it is where the browser cannot. */
export async function smaller(photo: Blob): Promise<Blob> {
  try {
    const image = await createImageBitmap(photo);
    const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.85));
    return made && made.size < photo.size ? made : photo;
  } catch {
    return photo;
  }
}
