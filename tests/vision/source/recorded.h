// SPDX-License-Identifier: MIT
// recorded.h: recordings of a known picture, made as they are asked for. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_SOURCE_RECORDED_H
#define RINGSIDE_TESTS_VISION_SOURCE_RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/opt.h>

enum { RECORDED_WIDTH = 96, RECORDED_HEIGHT = 64 };

// A recording to be made: frame k is a flat grey of level 40 + 5 k, its left half 20 lighter.
struct recording {
    int frames;
    const int *at_ms; // NULL: every 40 ms
    AVRational pixel; // shape, 0 for none
    double anticlockwise_deg;
    int key_every;       // pictures from one that needs no other to the next; 0: the coder's choice
    int between;         // pictures between two that are coded from both sides
    bool sound_and_name; // a sound track, and who made it
    bool h264;           // no MPEG-4
    int spoilt;          // this coded picture, from 1 on, is left out; 0: none
    bool repeats;        // no, it is put in twice, half an interval apart
};

static inline void recording_paint(AVFrame *f, int number)
{
    for (int y = 0; y < RECORDED_HEIGHT; y++)
        for (int x = 0; x < RECORDED_WIDTH; x++)
            f->data[0][y * f->linesize[0] + x] = (uint8_t)(40 + 5 * number + (x < RECORDED_WIDTH / 2 ? 20 : 0));
    for (int c = 1; c < 3; c++)
        for (int y = 0; y < RECORDED_HEIGHT / 2; y++)
            memset(f->data[c] + y * f->linesize[c], 128, RECORDED_WIDTH / 2);
}

static inline void recording_put(AVFormatContext *out, AVCodecContext *coder, const AVFrame *frame,
                                 const struct recording *r, int *coded)
{
    AVPacket *packet = av_packet_alloc();
    assert_int_equal(avcodec_send_frame(coder, frame), 0);
    while (avcodec_receive_packet(coder, packet) == 0) {
        packet->duration = 20; // without one MP4 ends before its last frame
        av_packet_rescale_ts(packet, coder->time_base, out->streams[0]->time_base);
        AVPacket *again = ++*coded == r->spoilt ? av_packet_clone(packet) : NULL;
        if (!again || r->repeats)
            assert_int_equal(av_interleaved_write_frame(out, packet), 0);
        if (again && r->repeats) {
            again->pts += 20;
            again->dts += 20;
            assert_int_equal(av_interleaved_write_frame(out, again), 0);
        }
        av_packet_free(&again);
    }
    av_packet_free(&packet);
}

static inline AVCodecContext *recording_coder(AVFormatContext *out, const struct recording *r)
{
    AVStream *stream = avformat_new_stream(out, NULL);
    AVCodecContext *coder =
        avcodec_alloc_context3(avcodec_find_encoder(r->h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_MPEG4));
    assert_non_null(coder);
    coder->width = RECORDED_WIDTH;
    coder->height = RECORDED_HEIGHT;
    coder->pix_fmt = AV_PIX_FMT_YUV420P;
    coder->time_base = stream->time_base = (AVRational){ 1, 1000 };
    coder->sample_aspect_ratio = stream->sample_aspect_ratio = r->pixel;
    coder->flags |= AV_CODEC_FLAG_QSCALE | (out->oformat->flags & AVFMT_GLOBALHEADER ? AV_CODEC_FLAG_GLOBAL_HEADER : 0);
    coder->global_quality = FF_QP2LAMBDA * 2;
    coder->gop_size = r->key_every ? r->key_every : coder->gop_size;
    coder->max_b_frames = r->between;
    av_opt_set_int(coder->priv_data, "sc_threshold", 1000000000, 0); // no key picture but those asked for
    assert_int_equal(avcodec_open2(coder, NULL, NULL), 0);
    avcodec_parameters_from_context(stream->codecpar, coder);
    if (r->anticlockwise_deg != 0) {
        uint8_t *matrix = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
        av_display_rotation_set((int32_t *)matrix, -r->anticlockwise_deg); // set counts the other way than get
    }
    return coder;
}

// Silence, a tenth of a second of it, and a name.
static inline void recording_add_sound(AVFormatContext *out)
{
    AVStream *sound = avformat_new_stream(out, NULL);
    sound->codecpar->codec_type = AVMEDIA_TYPE_AUDIO;
    sound->codecpar->codec_id = AV_CODEC_ID_PCM_S16LE;
    sound->codecpar->format = AV_SAMPLE_FMT_S16;
    sound->codecpar->sample_rate = 8000;
    sound->codecpar->bits_per_coded_sample = 16;
    sound->codecpar->block_align = 2;
    av_channel_layout_default(&sound->codecpar->ch_layout, 1);
    sound->time_base = (AVRational){ 1, 8000 };
    av_dict_set(&out->metadata, "artist", "Anna Example", 0);
}

static inline void recording_put_sound(AVFormatContext *out)
{
    AVPacket *packet = av_packet_alloc();
    assert_int_equal(av_new_packet(packet, 1600), 0);
    memset(packet->data, 0, 1600);
    packet->stream_index = 1;
    packet->pts = packet->dts = 0;
    packet->duration = 800;
    av_packet_rescale_ts(packet, (AVRational){ 1, 8000 }, out->streams[1]->time_base);
    assert_int_equal(av_interleaved_write_frame(out, packet), 0);
    av_packet_free(&packet);
}

static inline void record(const char *path, const struct recording *r)
{
    int coded = 0;
    AVFormatContext *out = NULL;
    av_log_set_level(AV_LOG_QUIET);
    assert_true(avformat_alloc_output_context2(&out, NULL, NULL, path) >= 0);
    AVCodecContext *coder = recording_coder(out, r);
    if (r->sound_and_name)
        recording_add_sound(out);
    assert_int_equal(avio_open(&out->pb, path, AVIO_FLAG_WRITE), 0);
    assert_true(avformat_write_header(out, NULL) >= 0);
    if (r->sound_and_name)
        recording_put_sound(out);
    AVFrame *frame = av_frame_alloc();
    frame->width = RECORDED_WIDTH;
    frame->height = RECORDED_HEIGHT;
    frame->format = AV_PIX_FMT_YUV420P;
    assert_int_equal(av_frame_get_buffer(frame, 0), 0);
    for (int k = 0; k < r->frames; k++) {
        assert_int_equal(av_frame_make_writable(frame), 0);
        recording_paint(frame, k);
        frame->pts = r->at_ms ? r->at_ms[k] : 40 * k;
        frame->quality = coder->global_quality;
        recording_put(out, coder, frame, r, &coded);
    }
    recording_put(out, coder, NULL, r, &coded);
    av_write_trailer(out);
    avio_closep(&out->pb);
    av_frame_free(&frame);
    avcodec_free_context(&coder);
    avformat_free_context(out);
}

#endif
