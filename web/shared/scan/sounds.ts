// Good and bad scans also sound different: two short generated tones.

let context: AudioContext | undefined;

function play(frequencyHz: number, seconds: number, shape: OscillatorType): void {
  if (!("AudioContext" in globalThis)) {
    return;
  }
  context ??= new AudioContext();
  if (context.state === "suspended") {
    // Browsers block sound until the page was touched. That is no reason to stop.
    context.resume().catch(() => undefined);
  }
  const tone = context.createOscillator();
  const volume = context.createGain();
  const { currentTime } = context;
  tone.type = shape;
  tone.frequency.value = frequencyHz;
  volume.gain.setValueAtTime(0.08, currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, currentTime + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(currentTime + seconds);
}

export function playGood(): void {
  play(1320, 0.07, "sine");
}

export function playBad(): void {
  play(196, 0.28, "square");
}
