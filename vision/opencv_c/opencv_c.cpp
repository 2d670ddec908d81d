// SPDX-License-Identifier: MIT
#include "vision/opencv_c/opencv_c.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <vector>

#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace
{

const int MAX_SIDE_PX = 32767; // OpenCV counts pixels of a row in 16 bits here and there
const int MAX_CHANNELS = 4;
const double MAX_SIGMA_PX = 100; // the kernel grows with it; nothing asks for more than a few pixels

// Gives back 0, or RS_EINPUT when this cannot be a picture.
int check_picture(const void *data, int w, int h, int ch, const char *what, struct fail *why)
{
    if (!data)
        return rs_fail(why, RS_EINPUT, "%s: no picture given", what);
    if (w < 1 || h < 1 || w > MAX_SIDE_PX || h > MAX_SIDE_PX || ch < 1 || ch > MAX_CHANNELS)
        return rs_fail(why, RS_EINPUT,
                       "%s: picture of %d x %d pixels and %d channels; sides are 1 to %d, channels 1 to %d", what, w, h,
                       ch, MAX_SIDE_PX, MAX_CHANNELS);
    return 0;
}

const int MAX_KERNEL_PX = 31;
const double MAX_TEXT_SCALE = 50;
const int MAX_PEN_PX = 200;

int check_text(const char *text, double scale, int thickness, struct fail *why)
{
    if (!text)
        return rs_fail(why, RS_EINPUT, "text: none given");
    if (!(scale > 0 && scale <= MAX_TEXT_SCALE) || thickness < 1 || thickness > MAX_PEN_PX)
        return rs_fail(why, RS_EINPUT, "text: scale %g, pen %d px; they are above 0 to %g, and 1 to %d", scale,
                       thickness, MAX_TEXT_SCALE, MAX_PEN_PX);
    return 0;
}

// A header over the caller's buffer. OpenCV has one type for what it reads and writes, hence the cast.
template <typename Value> cv::Mat picture(const Value *data, int w, int h, int ch)
{
    return cv::Mat(h, w, CV_MAKETYPE(cv::DataType<Value>::depth, ch), const_cast<Value *>(data));
}

// Before main, for every program that is linked with this. Threads of its own bring nothing measurable here, and those
// of oneTBB can leave the caller asleep for ever, once in very many calls (oneTBB #687, #1281).
const struct in_the_callers_thread {
    in_the_callers_thread() noexcept
    {
        try {
            cv::setNumThreads(0);
        } catch (...) {
            // No memory before anything began: whoever asks for some next is told.
        }
    }
} in_the_callers_thread;

// Runs `call` and turns whatever it throws into a code with the thrower's words on one line.
template <typename Call> int guarded(const char *what, struct fail *why, Call call)
{
    try {
        return call();
    } catch (const cv::Exception &e) {
        if (e.code == cv::Error::StsNoMem)
            return rs_fail(why, RS_ENOMEM, "no memory for %s: OpenCV: %s", what, e.err.c_str());
        return rs_fail(why, RS_ELIB, "%s: OpenCV: %s", what, e.err.c_str());
    } catch (const std::bad_alloc &) {
        return rs_fail(why, RS_ENOMEM, "no memory for %s", what);
    } catch (const std::exception &e) {
        return rs_fail(why, RS_ELIB, "%s: %s", what, e.what());
    } catch (...) {
        return rs_fail(why, RS_ELIB, "%s: OpenCV threw something unknown", what);
    }
}

// OpenCV allocates anew when the picture it was given has not the size it wants; the caller would then see nothing.
int check_stayed(const cv::Mat &m, const void *data, const char *what, struct fail *why)
{
    return m.data == data ? 0 : rs_fail(why, RS_EINTERNAL, "%s: OpenCV left the caller's buffer", what);
}

// What makes of a picture another one of the same size: call(to, from).
template <typename Out, typename In, typename Call>
int filtered(Out *out, const In *in, int w, int h, int ch, const char *what, struct fail *why, Call call)
{
    int rc = check_picture(in, w, h, ch, what, why);
    if (rc == 0)
        rc = check_picture(out, w, h, ch, what, why);
    if (rc < 0)
        return rc;
    return guarded(what, why, [&] {
        cv::Mat to = picture(out, w, h, ch);
        call(to, picture(in, w, h, ch));
        return check_stayed(to, out, what, why);
    });
}

int check_sigma(double sigma, struct fail *why)
{
    if (sigma > 0 && sigma <= MAX_SIGMA_PX)
        return 0;
    return rs_fail(why, RS_EINPUT, "blur: sigma %g px; it must be above 0 and at most %g", sigma, MAX_SIGMA_PX);
}

const int LEAST_CHESSBOARD = 4; // inner corners along a side: fewer are found in all kinds of texture
const int REFINE_STEPS = 50;
const double REFINED_PX = 1e-3; // far under the noise of any corner

int ends_with = 3;
bool tells = true;

[[noreturn]] void end()
{
    if (tells)
        std::fputs("ringside: OpenCV gave up: there is no memory left\n", stderr);
    std::_Exit(ends_with);
}

} // namespace

void cv_end_with(int status, int tell)
{
    ends_with = status;
    tells = tell;
    std::set_terminate(end);
}

int cv_resize_area_u8(uint8_t *out, int w, int h, const uint8_t *in, int iw, int ih, int ch, struct fail *why)
{
    int rc = check_picture(out, w, h, ch, "resize", why);
    if (rc == 0)
        rc = check_picture(in, iw, ih, ch, "resize", why);
    if (rc < 0)
        return rc;
    return guarded("resize", why, [&] {
        cv::Mat to = picture(out, w, h, ch);
        cv::resize(picture(in, iw, ih, ch), to, to.size(), 0, 0, cv::INTER_AREA);
        return check_stayed(to, out, "resize", why);
    });
}

int cv_warp_affine_u8(uint8_t *out, const uint8_t *in, int w, int h, int ch, const double from[6], struct fail *why)
{
    if (out == in)
        return rs_fail(why, RS_EINPUT, "warp: a picture cannot be moved in place");
    return filtered(out, in, w, h, ch, "warp", why, [&](cv::Mat &to, const cv::Mat &seen) {
        const cv::Matx23d affine(from[1], from[2], from[0], from[4], from[5], from[3]);
        cv::warpAffine(seen, to, affine, to.size(), cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    });
}

int cv_gaussian_blur_u8(uint8_t *out, const uint8_t *in, int w, int h, int ch, double sigma, struct fail *why)
{
    int rc = check_sigma(sigma, why);
    return rc < 0 ? rc : filtered(out, in, w, h, ch, "blur", why, [&](cv::Mat &to, const cv::Mat &from) {
        cv::GaussianBlur(from, to, cv::Size(0, 0), sigma, sigma, cv::BORDER_REFLECT_101);
    });
}

int cv_filter_f32(float *out, const float *in, int w, int h, const float *kernel, int kw, int kh, struct fail *why)
{
    if (!kernel || kw < 1 || kh < 1 || kw > MAX_KERNEL_PX || kh > MAX_KERNEL_PX || kw % 2 == 0 || kh % 2 == 0)
        return rs_fail(why, RS_EINPUT, "filter: kernel of %d x %d; sides are odd, 1 to %d", kw, kh, MAX_KERNEL_PX);
    return filtered(out, in, w, h, 1, "filter", why, [&](cv::Mat &to, const cv::Mat &from) {
        cv::filter2D(from, to, CV_32F, picture(kernel, kw, kh, 1), cv::Point(-1, -1), 0, cv::BORDER_REPLICATE);
    });
}

int cv_box_mean_f32(float *out, const float *in, int w, int h, int bw, int bh, struct fail *why)
{
    if (bw < 1 || bh < 1 || bw % 2 == 0 || bh % 2 == 0)
        return rs_fail(why, RS_EINPUT, "box mean: box of %d x %d pixels; sides are odd and above 0", bw, bh);
    return filtered(out, in, w, h, 1, "box mean", why, [&](cv::Mat &to, const cv::Mat &from) {
        cv::boxFilter(from, to, CV_32F, cv::Size(bw, bh), cv::Point(-1, -1), true, cv::BORDER_REPLICATE);
    });
}

int cv_gaussian_blur_f32(float *out, const float *in, int w, int h, double sigma, struct fail *why)
{
    int rc = check_sigma(sigma, why);
    return rc < 0 ? rc : filtered(out, in, w, h, 1, "blur", why, [&](cv::Mat &to, const cv::Mat &from) {
        cv::GaussianBlur(from, to, cv::Size(0, 0), sigma, sigma, cv::BORDER_REPLICATE);
    });
}

int cv_median_u8(uint8_t *out, const uint8_t *in, int w, int h, int side, struct fail *why)
{
    if (side < 3 || side > 255 || side % 2 == 0)
        return rs_fail(why, RS_EINPUT, "median: over %d x %d pixels; the side is odd, 3 to 255", side, side);
    return filtered(out, in, w, h, 1, "median", why,
                    [&](cv::Mat &to, const cv::Mat &from) { cv::medianBlur(from, to, side); });
}

int cv_components_u8(int32_t *label, int *count, const uint8_t *mask, int w, int h, struct fail *why)
{
    return filtered(label, mask, w, h, 1, "components", why, [&](cv::Mat &to, const cv::Mat &from) {
        *count = cv::connectedComponents(from, to, 8, CV_32S) - 1;
    });
}

int cv_distance_u8(float *out, const uint8_t *mask, int w, int h, struct fail *why)
{
    return filtered(out, mask, w, h, 1, "distance", why, [&](cv::Mat &to, const cv::Mat &from) {
        cv::distanceTransform(from, to, cv::DIST_L2, cv::DIST_MASK_PRECISE);
    });
}

int cv_text_size(int *w, int *h, int *below, const char *text, double scale, int thickness, struct fail *why)
{
    int rc = check_text(text, scale, thickness, why);
    if (rc < 0)
        return rc;
    return guarded("text", why, [&] {
        cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, scale, thickness, below);
        *w = size.width;
        *h = size.height;
        return 0;
    });
}

int cv_text_u8(uint8_t *out, int w, int h, int x, int y, const char *text, double scale, int thickness,
               struct fail *why)
{
    int rc = check_picture(out, w, h, 1, "text", why);
    if (rc == 0)
        rc = check_text(text, scale, thickness, why);
    if (rc < 0)
        return rc;
    return guarded("text", why, [&] {
        cv::Mat to = picture(out, w, h, 1);
        cv::putText(to, text, cv::Point(x, y), cv::FONT_HERSHEY_SIMPLEX, scale, cv::Scalar(255), thickness,
                    cv::LINE_AA);
        return 0;
    });
}

int cv_chessboard_u8(double *out, int most, int *columns, int *rows, const uint8_t *in, int w, int h, struct fail *why)
{
    int rc = check_picture(in, w, h, 1, "chessboard", why);
    if (rc < 0)
        return rc;
    return guarded("chessboard", why, [&] {
        std::vector<cv::Point2f> found;
        cv::Mat cells; // as wide and high as the board in corners
        bool any = cv::findChessboardCornersSB(picture(in, w, h, 1), cv::Size(LEAST_CHESSBOARD, LEAST_CHESSBOARD),
                                               found, cv::CALIB_CB_LARGER | cv::CALIB_CB_NORMALIZE_IMAGE, cells);
        bool taken = any && found.size() <= static_cast<size_t>(most) && found.size() == cells.total();
        *columns = taken ? cells.cols : 0;
        *rows = taken ? cells.rows : 0;
        for (size_t i = 0; taken && i < found.size(); i++) {
            out[2 * i] = found[i].x;
            out[2 * i + 1] = found[i].y;
        }
        return 0;
    });
}

int cv_corners_refine_u8(double *corners, int n, int reach, const uint8_t *in, int w, int h, struct fail *why)
{
    int rc = check_picture(in, w, h, 1, "corners", why);
    if (rc < 0)
        return rc;
    if (n < 1 || reach < 2 || 2 * reach + 5 > w || 2 * reach + 5 > h)
        return rs_fail(why, RS_EINPUT, "corners: %d of them in windows of %d px do not fit a picture of %d x %d", n,
                       reach, w, h);
    for (int i = 0; i < n; i++)
        if (!(corners[2 * i] >= 0 && corners[2 * i] <= w - 1 && corners[2 * i + 1] >= 0 && corners[2 * i + 1] <= h - 1))
            return rs_fail(why, RS_EINPUT, "corners: %g, %g px lies outside the picture of %d x %d", corners[2 * i],
                           corners[2 * i + 1], w, h);
    return guarded("corners", why, [&] {
        std::vector<cv::Point2f> at;
        for (int i = 0; i < n; i++)
            at.emplace_back(static_cast<float>(corners[2 * i]), static_cast<float>(corners[2 * i + 1]));
        cv::cornerSubPix(picture(in, w, h, 1), at, cv::Size(reach, reach), cv::Size(-1, -1),
                         cv::TermCriteria(cv::TermCriteria::EPS + cv::TermCriteria::COUNT, REFINE_STEPS, REFINED_PX));
        for (int i = 0; i < n; i++) {
            corners[2 * i] = at[static_cast<size_t>(i)].x;
            corners[2 * i + 1] = at[static_cast<size_t>(i)].y;
        }
        return 0;
    });
}

int cv_circles_u8(float *out, int most, int *count, uint8_t *grey, const uint8_t *bgr, int w, int h, int least_px,
                  int most_px, struct fail *why)
{
    int rc = check_picture(bgr, w, h, 3, "circles", why);
    if (rc == 0)
        rc = check_picture(grey, w, h, 1, "circles", why);
    if (rc < 0)
        return rc;
    return guarded("circles", why, [&] {
        const double edge = 100, votes = 30, apart = 1.5;
        std::vector<cv::Vec3f> found;
        cv::Mat in = picture(grey, w, h, 1);
        cv::cvtColor(picture(bgr, w, h, 3), in, cv::COLOR_BGR2GRAY);
        cv::HoughCircles(in, found, cv::HOUGH_GRADIENT, 1, apart * least_px, edge, votes, least_px, most_px);
        *count = (int)found.size() < most ? (int)found.size() : most;
        for (int i = 0; i < 3 * *count; i++)
            out[i] = found[(size_t)i / 3][i % 3];
        return 0;
    });
}
